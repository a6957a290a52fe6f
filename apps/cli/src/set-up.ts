import { migrateClickHouse, openClickHouse } from '@plugin-config/clickhouse';
import { issueApiKey } from '@plugin-config/domain';
import { migrate } from '@plugin-config/persistence/migrate';
import { operatorAuthor, withServices } from './command.ts';
import { inform } from './output.ts';
import { readClickHouse } from './settings.ts';

/** Migrates PostgreSQL, and ClickHouse if it is used. Resolves to the migrations that it ran. */
export async function migrateAll(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const clickHouse = readClickHouse(env);
  const steps = await migrate(databaseUrl, { onWait: inform });
  if (clickHouse === null) return steps;
  const server = openClickHouse(clickHouse);
  try {
    const clickHouseSteps = await migrateClickHouse(server);
    return [...steps, ...clickHouseSteps.map((step) => `clickhouse ${step}`)];
  } finally {
    await server.close();
  }
}

const ONE = { limit: 1, offset: 0 };
const PROJECT = 'Default project';
const KEY = {
  label: 'first key',
  scopes: ['*'],
  projectIds: [],
  pluginIds: [],
  expiresAt: null,
  accountId: null,
} as const;

/**
 * Creates the first project and a key with all scopes. Returns null if both exist; completes a first start that was
 * interrupted.
 */
export async function firstStart(databaseUrl: string, secretsKeys: string): Promise<string | null> {
  return withServices({ DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys }, async (services) => {
    const { projects, keys } = services;
    const { count } = await projects.list(ONE, { ids: [] });
    if (count > 0 && (await keys.list(ONE, null)).count > 0) return null;
    const author = operatorAuthor(services);
    if (count === 0) await projects.create({ name: PROJECT }, author);
    return (await issueApiKey(services, { request: KEY, issuer: null, author })).token;
  });
}

/** Rejects if these are not the master keys that the database needs. */
export async function requireMasterKeys(databaseUrl: string, secretsKeys: string): Promise<void> {
  await withServices({ DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys }, ({ masterKeys }) =>
    masterKeys.require(),
  );
}

/** Returns the ids of the master keys that the database needs. */
export async function masterKeysInUse(databaseUrl: string): Promise<readonly string[]> {
  return withServices({ DATABASE_URL: databaseUrl }, async ({ masterKeys }) =>
    (await masterKeys.uses()).map(({ keyId }) => keyId),
  );
}
