import type { SignedIn, SignInOnce } from '@plugin-config/domain';
import { aKeyHash } from './an-api-key.ts';
import { secondsLater } from './an-author.ts';

let count = 0;

/** A user with access to all projects. Each sign-in has another hash. */
export function aUser(fields: Partial<SignedIn> = {}): SignedIn {
  return {
    issuer: 'https://id.example.com',
    subject: '248289761001',
    label: 'Ada Lovelace',
    scopes: ['plugin:read'],
    projectIds: [],
    hash: aKeyHash(2_000_000 + count++),
    ...fields,
  };
}

/** A sign-in that was not completed yet. */
export function aSignIn(fields: Partial<SignInOnce> = {}): SignInOnce {
  return { id: `state ${count++}`, expiresAt: secondsLater(600), ...fields };
}
