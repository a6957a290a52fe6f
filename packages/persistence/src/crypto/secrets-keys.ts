/** Keys for secrets by id. The first key encrypts, all keys decrypt. */
export type SecretsKeys = ReadonlyMap<string, Buffer>;

/** What `readSecretsKeys` takes, for messages. */
export const SECRETS_KEYS_FORM =
  'id:base64key[,id:base64key…], each id once, with keys of 32 bytes (openssl rand -base64 32); the first one encrypts';

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
