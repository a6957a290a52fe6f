import { keepPrivateFile, readPrivateFile, writePrivateFile } from '@plugin-config/embedded-postgres';
import { isToken } from '@plugin-config/domain';
import { newSecretsKey, readSecretsKeys, SECRETS_KEYS_FORM } from '@plugin-config/persistence';
import { join } from 'node:path';
import type { SetUp } from './set-up.ts';
import { StartError } from './start-error.ts';

export interface SavedApiKey {
  readonly key: string;
  readonly file: string;
}

/** Returns the API key of the first start, from a file that only its owner can read; undefined if there is none. */
export async function savedApiKey(
  setUp: SetUp,
  databaseUrl: string,
  { dataDir, secretsKeys }: { readonly dataDir: string; readonly secretsKeys: string },
): Promise<SavedApiKey | undefined> {
  const file = join(dataDir, 'api-key');
  const created = await setUp.firstStart(databaseUrl, secretsKeys);
  if (created !== null) await writePrivateFile(file, `${created.apiKey}\n`);
  const key = await readPrivateFile(file);
  return key !== undefined && isToken(key) ? { key, file } : undefined;
}

/**
 * Returns the master keys of this data directory, in the format of `SECRETS_KEYS`. Creates a key if the file is missing or
 * empty and the database encrypts nothing yet.
 * @throws StartError if the file is damaged, or lost while the database needs it
 */
export async function savedSecretsKeys(setUp: SetUp, databaseUrl: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-keys');
  const keys = await keepPrivateFile(file, async () => {
    const needed = await setUp.masterKeys(databaseUrl);
    if (needed.length === 0) return newSecretsKey();
    throw new StartError(
      `${file} is missing or empty, but configurations are encrypted with its keys (${needed.join(', ')}) and cannot be read without them. Restore it from a backup, or set SECRETS_KEYS.`,
    );
  });
  if (readSecretsKeys(keys) !== null) return keys;
  throw new StartError(
    `${file} is damaged: expected ${SECRETS_KEYS_FORM}. Restore it from a backup: configurations cannot be read without its keys.`,
  );
}
