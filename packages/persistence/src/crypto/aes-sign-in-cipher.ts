import type { SignInAttempt, SignInCipher } from '@plugin-config/domain';
import { decrypt, encrypt } from './aes-gcm.ts';
import { NO_MASTER_KEY, type SecretsKeys } from './secrets-keys.ts';

/** Differs from the context of sessions, so neither cookie can be used as the other. */
const CONTEXT = 'sign-in of a browser';
const FORM = /^[\w-]{40,4000}$/;

/** Encrypts sign-ins with the first key and decrypts them with any key in the list. */
export function aesSignInCipher(keys: SecretsKeys): SignInCipher {
  return {
    encrypt({ begunAt, ...attempt }) {
      const [key] = keys.values();
      if (key === undefined) throw new Error(NO_MASTER_KEY);
      const text = JSON.stringify({ ...attempt, begunMs: begunAt.getTime() });
      return encrypt(key, CONTEXT, text).toString('base64url');
    },

    decrypt(encrypted) {
      if (!FORM.test(encrypted)) return null;
      const bytes = Buffer.from(encrypted, 'base64url');
      for (const key of keys.values()) {
        const attempt = tryDecrypt(key, bytes);
        if (attempt !== null) return attempt;
      }
      return null;
    },
  };
}

function tryDecrypt(key: Buffer, bytes: Buffer): SignInAttempt | null {
  try {
    const { begunMs, ...attempt } = JSON.parse(decrypt(key, CONTEXT, bytes).toString()) as Stored;
    return { ...attempt, begunAt: new Date(begunMs) };
  } catch {
    return null;
  }
}

type Stored = Omit<SignInAttempt, 'begunAt'> & { readonly begunMs: number };
