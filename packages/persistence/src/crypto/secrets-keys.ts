import { randomBytes } from 'node:crypto';

/** The master keys by id. The first wraps data keys; all of them can unwrap. */
export type SecretsKeys = ReadonlyMap<string, Buffer>;

/** Describes the format of `SECRETS_KEYS` in messages. */
export const SECRETS_KEYS_FORM =
  'id:base64key[,id:base64key…] with distinct ids and keys of 32 bytes (npm run --silent cli -- secrets generate prints one); the first key encrypts';

export const NO_MASTER_KEY =
  'SECRETS_KEYS is not set, but its first key encrypts configurations. Generate one with: npm run --silent cli -- secrets generate';

const FORM = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/;
const KEY_BYTES = 32;

/** Parses `id:base64key[,id:base64key…]`; null if the text is malformed. */
export function readSecretsKeys(text: string): SecretsKeys | null {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [, id = '', base64 = ''] = FORM.exec(part.trim()) ?? [];
    const key = Buffer.from(base64, 'base64');
    if (key.length !== KEY_BYTES || keys.has(id)) return null;
    keys.set(id, key);
  }
  return keys;
}

/** Returns a master key that nobody knows. */
export function unknownKeys(): SecretsKeys {
  return new Map([['unknown', randomBytes(KEY_BYTES)]]);
}

const ID_BYTES = 4;

/** Generates a key for `SECRETS_KEYS` with a random id. */
export function newSecretsKey(): string {
  const id = `key-${randomBytes(ID_BYTES).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
