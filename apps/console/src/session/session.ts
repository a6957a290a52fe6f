import { PluginConfigError, type OwnApiKey, type Scope } from '@plugin-config/client';
import { createContext, use } from 'react';
import { service } from '../shell/service.ts';

export const SESSION_KEY = ['session'] as const;

const ENDED =
  'Your session has ended. It expired or was ended, its key expired or was revoked, or you signed out in another tab.';

/** The signed-in key, or why the session ended; the reason is null if there was no session. */
export type SessionState =
  | { readonly key: OwnApiKey }
  | { readonly key: null; readonly reason: string | null };

export const SIGNED_OUT: SessionState = { key: null, reason: null };

/** Browsers drop expired cookies, so only the previous state shows that there was a session. */
export async function readSession(before: SessionState = SIGNED_OUT): Promise<SessionState> {
  try {
    return { key: await service.session.retrieve() };
  } catch (error) {
    if (!(error instanceof PluginConfigError) || error.type !== 'authentication_error') throw error;
    if (error.code !== 'not_authenticated') return { key: null, reason: ENDED };
    return before.key === null ? before : { key: null, reason: ENDED };
  }
}

export const SignedIn = createContext<OwnApiKey | null>(null);

/** Returns the key that the user signed in with. */
export function useKey(): OwnApiKey {
  const key = use(SignedIn);
  if (key === null) throw new Error('Not signed in.');
  return key;
}

/** Whether a key has the scope. Writing includes reading. */
export function may({ scopes }: OwnApiKey, scope: Scope): boolean {
  if (scopes.includes('*') || scopes.includes(scope)) return true;
  return (scope === 'plugin:read' || scope === 'config:write') && scopes.includes('plugin:write');
}

/** Whether a key has the scope for all projects. */
export function mayEverywhere(key: OwnApiKey, scope: Scope): boolean {
  return key.project_ids === null && may(key, scope);
}

/** Whether the user may configure, enable, check and run what is attached. */
export function useMayConfigure(): boolean {
  return may(useKey(), 'config:write');
}

/** Whether the user may change records or, with null, what belongs to all projects. */
export function useMayWrite(projectId?: number | null): boolean {
  const key = useKey();
  return projectId === null ? mayEverywhere(key, 'plugin:write') : may(key, 'plugin:write');
}

/** Whether the user may see a project of the key or, with null, what belongs to all projects. */
export function useMayRead(projectId: number | null): boolean {
  const key = useKey();
  return projectId === null ? mayEverywhere(key, 'plugin:read') : may(key, 'plugin:read');
}
