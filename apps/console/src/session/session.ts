import { PluginConfigError, type OwnApiKey } from '@plugin-config/client';
import { createContext, use } from 'react';
import { service } from '../shell/service.ts';

export const SESSION_KEY = ['session'] as const;

const ENDED = 'Your session has ended: its time was over, or its key was revoked or has expired.';

/** Who is signed in; otherwise why nobody is, which is null if nobody was. */
export type SessionState =
  | { readonly key: OwnApiKey }
  | { readonly key: null; readonly reason: string | null };

export async function readSession(): Promise<SessionState> {
  try {
    return { key: await service.session.retrieve() };
  } catch (error) {
    if (!(error instanceof PluginConfigError) || error.type !== 'authentication_error') throw error;
    return { key: null, reason: error.code === 'not_authenticated' ? null : ENDED };
  }
}

export const SignedIn = createContext<OwnApiKey | null>(null);

/** The key with which the user signed in. */
export function useKey(): OwnApiKey {
  const key = use(SignedIn);
  if (key === null) throw new Error('Nobody is signed in.');
  return key;
}
