import type { Session, SessionCipher } from '@plugin-config/domain';
import { cookieCipher } from './cookie-cipher.ts';
import type { SecretsKeys } from './secrets-keys.ts';

const HASH_BYTES = 32;
const TIME_BYTES = 6;

/** All ciphertexts have the same length. */
export function aesSessionCipher(keys: SecretsKeys): SessionCipher {
  return cookieCipher<Session>(keys, {
    context: 'session of a browser',
    form: /^[\w-]{96}$/,
    write: bytesOf,
    read: sessionOf,
  });
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
