import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DomainError, type SecretBox } from '@plugin-config/domain';
import type { SecretsKeys } from './secrets-keys.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Sealed is `id.base64`: the key's id, then the nonce, the tag and the encrypted text. The id is authenticated. */
export function aesSecretBox(keys: SecretsKeys): SecretBox {
  return {
    seal(plain) {
      const [first] = keys;
      if (first === undefined)
        throw noKey('There is no key to encrypt secrets with: the operator sets SECRETS_KEYS.');
      const [id, key] = first;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(id));
      const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${id}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64')}`;
    },

    open(sealed) {
      const end = sealed.indexOf('.');
      const id = sealed.slice(0, end);
      const key = keys.get(id);
      if (key === undefined)
        throw noKey(`The key "${id}", which secrets are encrypted with, is not in SECRETS_KEYS.`);
      const bytes = Buffer.from(sealed.slice(end + 1), 'base64');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(id))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const plain = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    },
  };
}

function noKey(message: string): DomainError {
  return new DomainError('invalid_input', message, { attr: 'config' });
}
