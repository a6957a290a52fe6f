import { keepPrivateFile, readPrivateFile, writePrivateFile } from '@plugin-config/embedded-postgres';
import { isToken } from '@plugin-config/domain';
import { newSecretsKey, readSecretsKeys, SECRETS_KEYS_FORM } from '@plugin-config/persistence';
import { join } from 'node:path';
import { reason } from '../reason.ts';
import type * as setUpModule from '../set-up.ts';
import { StartError, type StartSettings } from './start-settings.ts';

/** The steps that prepare a database. */
export type SetUp = typeof setUpModule;

export interface SavedApiKey {
  readonly key: string;
  readonly file: string;
}

interface Target {
  readonly databaseUrl: string;
  readonly settings: StartSettings;
  readonly env: NodeJS.ProcessEnv;
}

interface Prepared {
  readonly apiKey: SavedApiKey | undefined;
  readonly secretsKeys: string;
}

/** Migrates the database. An embedded database also gets a first project and keys. */
export async function prepareDatabase(
  setUp: SetUp,
  { databaseUrl, settings, env }: Target,
): Promise<Prepared> {
  const { dataDir } = settings;
  await setUp.migrateAll(databaseUrl, env).catch((cause: unknown) => {
    throw new StartError(`The database could not be migrated: ${reason(cause)}`, { cause });
  });
  const secretsKeys = settings.secretsKeys ?? (await savedSecretsKeys(setUp, databaseUrl, dataDir));
  // Otherwise both apps would print the same problem.
  await setUp.requireMasterKeys(databaseUrl, secretsKeys).catch((cause: unknown) => {
    throw new StartError(reason(cause), { cause });
  });
  if (settings.databaseUrl !== undefined) return { apiKey: undefined, secretsKeys };
  return { apiKey: await savedApiKey(setUp, databaseUrl, { dataDir, secretsKeys }), secretsKeys };
}

/** Returns the API key of the first start, from a file that only its owner can read; undefined if there is none. */
async function savedApiKey(
  { firstStart }: SetUp,
  databaseUrl: string,
  { dataDir, secretsKeys }: { readonly dataDir: string; readonly secretsKeys: string },
): Promise<SavedApiKey | undefined> {
  const file = join(dataDir, 'api-key');
  const created = await firstStart(databaseUrl, secretsKeys);
  if (created !== null) await writePrivateFile(file, `${created}\n`);
  const key = await readPrivateFile(file);
  return key !== undefined && isToken(key) ? { key, file } : undefined;
}

/**
 * Returns the master keys of this data directory, in the format of `SECRETS_KEYS`. Creates a key if the file is missing or
 * empty and the database encrypts nothing yet.
 * @throws StartError if the file is damaged, or lost while the database needs it
 */
async function savedSecretsKeys(setUp: SetUp, databaseUrl: string, dataDir: string): Promise<string> {
  const file = join(dataDir, 'secrets-keys');
  const keys = await keepPrivateFile(file, async () => {
    const needed = await setUp.masterKeysInUse(databaseUrl);
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
