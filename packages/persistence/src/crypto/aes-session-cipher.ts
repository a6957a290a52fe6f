import type { Session, SessionCipher } from '@plugin-config/domain';
import { decrypt, encrypt } from './aes-gcm.ts';
import { NO_MASTER_KEY, type SecretsKeys } from './secrets-keys.ts';

/** Differs from the contexts of data keys, so a session and a wrapped key are never interchangeable. */
const CONTEXT = 'session of a browser';
const FORM = /^[\w-]{96}$/;
const HASH_BYTES = 32;
const TIME_BYTES = 6;

/** Encrypts sessions with the first key and decrypts them with any key in the list. All ciphertexts have the same length. */
export function aesSessionCipher(keys: SecretsKeys): SessionCipher {
  return {
    encrypt(session) {
      const [key] = keys.values();
      if (key === undefined) throw new Error(NO_MASTER_KEY);
      return encrypt(key, CONTEXT, bytesOf(session)).toString('base64url');
    },

    decrypt(encrypted) {
      if (!FORM.test(encrypted)) return null;
      const bytes = Buffer.from(encrypted, 'base64url');
      for (const key of keys.values()) {
        const session = tryDecrypt(key, bytes);
        if (session !== null) return session;
      }
      return null;
    },
  };
}

function tryDecrypt(key: Buffer, bytes: Buffer): Session | null {
  try {
    return sessionOf(decrypt(key, CONTEXT, bytes));
  } catch {
    return null;
  }
}

function bytesOf({ keyHash, begunAt, usedAt }: Session): Buffer {
  const bytes = Buffer.alloc(HASH_BYTES + 2 * TIME_BYTES);
  bytes.write(keyHash, 'hex');
  bytes.writeUIntBE(begunAt.getTime(), HASH_BYTES, TIME_BYTES);
  bytes.writeUIntBE(usedAt.getTime(), HASH_BYTES + TIME_BYTES, TIME_BYTES);
  return bytes;
}

function sessionOf(bytes: Buffer): Session {
  return {
    keyHash: bytes.toString('hex', 0, HASH_BYTES),
    begunAt: new Date(bytes.readUIntBE(HASH_BYTES, TIME_BYTES)),
    usedAt: new Date(bytes.readUIntBE(HASH_BYTES + TIME_BYTES, TIME_BYTES)),
  };
}
