import { randomBytes } from 'node:crypto';

/** The master keys by their ids: the first one wraps data keys, all of them unwrap. */
export type SecretsKeys = ReadonlyMap<string, Buffer>;

/** What `readSecretsKeys` takes, for messages. */
export const SECRETS_KEYS_FORM =
  'id:base64key[,id:base64key…], each id once, with keys of 32 bytes (npm run --silent cli -- secrets generate makes one); the first one encrypts';

export const NO_MASTER_KEY =
  'SECRETS_KEYS is not set, and configurations are encrypted with its first key. Make one with: npm run --silent cli -- secrets generate';

const FORM = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/;
const KEY_BYTES = 32;

/** Reads `id:base64key[,id:base64key…]`; null if the text has another form. */
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

const ID_BYTES = 4;

/** Makes a key in the form of `SECRETS_KEYS`, with an id that no other key has. */
export function newSecretsKey(): string {
  const id = `key-${randomBytes(ID_BYTES).toString('hex')}`;
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
