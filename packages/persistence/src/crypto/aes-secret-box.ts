import { createCipheriv, createDecipheriv, randomBytes, type DecipherGCM } from 'node:crypto';
import { DomainError, keyIdOf, keyMissing, type SecretBox } from '@plugin-config/domain';
import type { SecretsKeys } from './secrets-keys.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts to `id.base64`: the id of the key, then nonce, tag and ciphertext. The id is authenticated. */
export function aesSecretBox(keys: SecretsKeys): SecretBox {
  return {
    keyIds: [...keys.keys()],

    seal(plain) {
      const [first] = keys;
      if (first === undefined) throw noKey();
      const [id, key] = first;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(id));
      const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64')}`;
    },

    open(sealed) {
      const id = keyIdOf(sealed);
      const key = keys.get(id);
      if (key === undefined) throw keyMissing(id);
      const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(id))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([plain, finish(decipher, id)]).toString('utf8');
    },
  };
}

function finish(decipher: DecipherGCM, id: string): Buffer {
  try {
    return decipher.final();
  } catch (cause) {
    const message = `The key "${id}" in SECRETS_KEYS is not the one that a secret was encrypted with.`;
    throw new DomainError('key_missing', message, { cause, retryAfterSeconds: 60 });
  }
}

function noKey(): DomainError {
  const message = 'There is no key to encrypt secrets with: the operator sets SECRETS_KEYS.';
  return new DomainError('invalid_input', message, { attr: 'config' });
}
