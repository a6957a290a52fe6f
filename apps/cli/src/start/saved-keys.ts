import { keepPrivateFile, readPrivateFile, writePrivateFile } from '@plugin-config/embedded-postgres';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { SetUp } from './set-up.ts';

const SECRET_BYTES = 32;

export interface SavedApiKey {
  readonly key: string;
  readonly file: string;
}

/** The key of the first start, saved in a file that only its owner can read; undefined if that file is gone. */
export async function savedApiKey(
  setUp: SetUp,
  databaseUrl: string,
  dataDir: string,
): Promise<SavedApiKey | undefined> {
  const file = join(dataDir, 'api-key');
  const made = await setUp.firstStart(databaseUrl);
  if (made !== null) await writePrivateFile(file, `${made.apiKey}\n`);
  const key = await readPrivateFile(file);
  return key === undefined ? undefined : { key, file };
}

/** The keys that encrypt the secrets of this data directory, in the form of `SECRETS_KEYS`. */
export async function savedSecretsKeys(dataDir: string): Promise<string> {
  return keepPrivateFile(
    join(dataDir, 'secrets-keys'),
    () => `local:${randomBytes(SECRET_BYTES).toString('base64')}`,
  );
}
