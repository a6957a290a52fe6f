import { keepPrivateFile, readPrivateFile, writePrivateFile } from '@plugin-config/embedded-postgres';
import { isToken } from '@plugin-config/domain';
import { readSecretsKeys, SECRETS_KEYS_FORM } from '@plugin-config/persistence';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { SetUp } from './set-up.ts';
import { StartRefused } from './start-refused.ts';

const SECRET_BYTES = 32;
const ID_BYTES = 4;

export interface SavedApiKey {
  readonly key: string;
  readonly file: string;
}

/** The key of the first start, saved in a file that only its owner can read; undefined if that file holds none. */
export async function savedApiKey(
  setUp: SetUp,
  databaseUrl: string,
  dataDir: string,
): Promise<SavedApiKey | undefined> {
  const file = join(dataDir, 'api-key');
  const made = await setUp.firstStart(databaseUrl);
  if (made !== null) await writePrivateFile(file, `${made.apiKey}\n`);
  const key = await readPrivateFile(file);
  return key !== undefined && isToken(key) ? { key, file } : undefined;
}

/**
 * The keys that encrypt the secrets of this data directory, in the form of `SECRETS_KEYS`. If their file is missing or
 * empty and no secret is stored, a key is made.
 * @throws StartRefused if their file is lost or has another form
 */
export async function savedSecretsKeys(setUp: SetUp, databaseUrl: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-keys');
  const keys = await keepPrivateFile(file, async () => {
    const needed = await setUp.secretKeys(databaseUrl);
    if (needed.length === 0) return newSecretsKey();
    throw new StartRefused(
      `${file} is missing or empty, and stored secrets need its keys (${needed.join(', ')}): restore it from a backup, or set SECRETS_KEYS. If they are lost, write a key with another id to the file, and set these secrets again.`,
    );
  });
  if (readSecretsKeys(keys) !== null) return keys;
  throw new StartRefused(
    `${file} is damaged: it takes ${SECRETS_KEYS_FORM}. Restore it from a backup: stored secrets cannot be read without its keys.`,
  );
}

/** A key with an id of its own, so that a lost key is reported as missing and not taken for this one. */
function newSecretsKey(): string {
  const id = `local-${randomBytes(ID_BYTES).toString('hex')}`;
  return `${id}:${randomBytes(SECRET_BYTES).toString('base64')}`;
}
