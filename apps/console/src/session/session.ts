import { PluginConfigError, type OwnApiKey } from '@plugin-config/client';
import { createContext, use } from 'react';
import { service } from '../shell/service.ts';

export const SESSION_KEY = ['session'] as const;

const ENDED =
  'Your session has ended: its time was over, its key was revoked or has expired, or another page signed out.';

/** Who is signed in; otherwise why nobody is, which is null if nobody was. */
export type SessionState =
  | { readonly key: OwnApiKey }
  | { readonly key: null; readonly reason: string | null };

export const NOBODY: SessionState = { key: null, reason: null };

/** A cookie whose time is over is gone: only what was read before tells that there was a session. */
export async function readSession(before: SessionState = NOBODY): Promise<SessionState> {
  try {
    return { key: await service.session.retrieve() };
  } catch (error) {
    if (!(error instanceof PluginConfigError) || error.type !== 'authentication_error') throw error;
    if (error.code !== 'not_authenticated') return { key: null, reason: ENDED };
    return before.key === null ? before : { key: null, reason: ENDED };
  }
}

export const SignedIn = createContext<OwnApiKey | null>(null);

/** The key with which the user signed in. */
export function useKey(): OwnApiKey {
  const key = use(SignedIn);
  if (key === null) throw new Error('Nobody is signed in.');
  return key;
}
