import { PluginConfigError, type OwnApiKey } from '@plugin-config/client';
import { createContext, use } from 'react';
import { service } from '../shell/service.ts';

export const SESSION_KEY = ['session'] as const;

const ENDED =
  'Your session has ended. It expired, its key expired or was revoked, or you signed out in another tab.';

/** The signed-in key, or why a session ended; the reason is null if there was none. */
export type SessionState =
  | { readonly key: OwnApiKey }
  | { readonly key: null; readonly reason: string | null };

export const SIGNED_OUT: SessionState = { key: null, reason: null };

/** Expired cookies are gone, so only the state before shows that there was a session. */
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
