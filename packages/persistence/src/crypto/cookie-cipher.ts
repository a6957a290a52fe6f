import { decrypt, encrypt } from './aes-gcm.ts';
import { NO_MASTER_KEY, type SecretsKeys } from './secrets-keys.ts';

interface CookieFormat<T> {
  /** Differs from every other context, so no ciphertext can be used as another kind. */
  readonly context: string;
  readonly form: RegExp;
  readonly write: (value: T) => string | Buffer;
  /** Throws if the bytes have another form. */
  readonly read: (bytes: Buffer) => T;
}

/** Encrypts values with the first key and decrypts them with any key in the list. */
export function cookieCipher<T>(keys: SecretsKeys, { context, form, write, read }: CookieFormat<T>) {
  const tryDecrypt = (key: Buffer, bytes: Buffer): T | null => {
    try {
      return read(decrypt(key, context, bytes));
    } catch {
      return null;
    }
  };
  return {
    encrypt(value: T): string {
      const [key] = keys.values();
      if (key === undefined) throw new Error(NO_MASTER_KEY);
      return encrypt(key, context, write(value)).toString('base64url');
    },

    decrypt(encrypted: string): T | null {
      if (!form.test(encrypted)) return null;
      const bytes = Buffer.from(encrypted, 'base64url');
      for (const key of keys.values()) {
        const value = tryDecrypt(key, bytes);
        if (value !== null) return value;
      }
      return null;
    },
  };
}
