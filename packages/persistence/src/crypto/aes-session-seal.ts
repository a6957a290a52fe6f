import type { Session, SessionSeal } from '@plugin-config/domain';
import { decrypt, encrypt } from './aes-gcm.ts';
import type { SecretsKeys } from './secrets-keys.ts';

/** No id of a key, so that neither a sealed secret is a session, nor a session a secret. */
const CONTEXT = 'session of a browser';
const FORM = /^[\w-]{96}$/;
const HASH_BYTES = 32;
const TIME_BYTES = 6;

/**
 * Encrypts with the first key, and opens with no other: a key that is replaced ends the sessions that it sealed. All sessions have
 * the same length.
 */
export function aesSessionSeal(keys: SecretsKeys): SessionSeal {
  const [key] = keys.values();
  return {
    isReady: key !== undefined,

    seal(session) {
      if (key === undefined) throw new Error('There is no key to seal sessions with.');
      return encrypt(key, CONTEXT, bytesOf(session)).toString('base64url');
    },

    open(sealed) {
      if (key === undefined || !FORM.test(sealed)) return null;
      try {
        return sessionOf(decrypt(key, CONTEXT, Buffer.from(sealed, 'base64url')));
      } catch {
        return null;
      }
    },
  };
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
