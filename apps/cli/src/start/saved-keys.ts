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

/** The key of the first start, saved in a file that only its owner can read; undefined if that file holds none. */
export async function savedApiKey(
  setUp: SetUp,
  databaseUrl: string,
  { dataDir, secretsKeys }: { readonly dataDir: string; readonly secretsKeys: string },
): Promise<SavedApiKey | undefined> {
  const file = join(dataDir, 'api-key');
  const made = await setUp.firstStart(databaseUrl, secretsKeys);
  if (made !== null) await writePrivateFile(file, `${made.apiKey}\n`);
  const key = await readPrivateFile(file);
  return key !== undefined && isToken(key) ? { key, file } : undefined;
}

/**
 * The master keys of this data directory, in the form of `SECRETS_KEYS`. If their file is missing or empty and nothing is encrypted,
 * a key is made.
 * @throws StartRefused if their file is lost or has another form
 */
export async function savedSecretsKeys(setUp: SetUp, databaseUrl: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-keys');
  const keys = await keepPrivateFile(file, async () => {
    const needed = await setUp.masterKeys(databaseUrl);
    if (needed.length === 0) return newSecretsKey();
    throw new StartError(
      `${file} is missing or empty, and configurations are encrypted with its keys (${needed.join(', ')}): restore it from a backup, or set SECRETS_KEYS. Nothing can be read without them.`,
    );
  });
  if (readSecretsKeys(keys) !== null) return keys;
  throw new StartError(
    `${file} is damaged: it takes ${SECRETS_KEYS_FORM}. Restore it from a backup: configurations cannot be read without its keys.`,
  );
}
