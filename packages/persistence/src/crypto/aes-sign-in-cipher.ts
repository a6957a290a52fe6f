import type { SignInAttempt, SignInCipher } from '@plugin-config/domain';
import { cookieCipher } from './cookie-cipher.ts';
import type { SecretsKeys } from './secrets-keys.ts';

type Stored = Omit<SignInAttempt, 'begunAt'> & { readonly begunMs: number };

export function aesSignInCipher(keys: SecretsKeys): SignInCipher {
  return cookieCipher<SignInAttempt>(keys, {
    context: 'sign-in of a browser',
    form: /^[\w-]{40,4000}$/,
    write: ({ begunAt, ...attempt }) => JSON.stringify({ ...attempt, begunMs: begunAt.getTime() }),
    read: (bytes) => {
      const { begunMs, ...attempt } = JSON.parse(bytes.toString()) as Stored;
      return { ...attempt, begunAt: new Date(begunMs) };
    },
  });
}
