import { createHmac, hkdfSync } from 'node:crypto';
import { DomainError, keyIdOf, keyMissing, type SecretBox } from '@plugin-config/domain';
import { decrypt, encrypt } from './aes-gcm.ts';
import type { SecretsKeys } from './secrets-keys.ts';

/** Derives the key of fingerprints, so that it is no key that encrypts. */
const FINGERPRINTS = 'fingerprints of plans';
const KEY_BYTES = 32;

/** Encrypts to `id.base64`: the id of the key, then nonce, tag and ciphertext. The id is authenticated. */
export function aesSecretBox(keys: SecretsKeys): SecretBox {
  const [firstKey] = keys.values();
  // Without a key, no secret is stored that a fingerprint could tell of.
  const fingerprintKey = Buffer.from(hkdfSync('sha256', firstKey ?? '', '', FINGERPRINTS, KEY_BYTES));
  return {
    keyIds: [...keys.keys()],

    seal(plain) {
      const [first] = keys;
      if (first === undefined) throw noKey();
      const [id, key] = first;
      return `${id}.${encrypt(key, id, plain).toString('base64')}`;
    },

    open(sealed) {
      const id = keyIdOf(sealed);
      const key = keys.get(id);
      if (key === undefined) throw keyMissing(id);
      try {
        return decrypt(key, id, Buffer.from(sealed.slice(id.length + 1), 'base64')).toString('utf8');
      } catch (cause) {
        throw otherKey(id, cause);
      }
    },

    fingerprint: (plain) => createHmac('sha256', fingerprintKey).update(plain).digest('base64url'),
  };
}

function otherKey(id: string, cause: unknown): DomainError {
  const message = `The key "${id}" in SECRETS_KEYS is not the one that a secret was encrypted with.`;
  return new DomainError('key_missing', message, { cause, retryAfterSeconds: 60 });
}

function noKey(): DomainError {
  const message = 'There is no key to encrypt secrets with: the operator sets SECRETS_KEYS.';
  return new DomainError('invalid_input', message, { attr: 'config' });
}
