import { clickHouseArchive, openClickHouse } from '@plugin-config/clickhouse';
import {
  type Database,
  databaseProblem,
  masterKeysProblem,
  masterKeyUses,
  openDatabase,
  postgresIngestionStores,
  postgresPorts,
  readSecretsKeys,
  rotateMasterKey,
  SECRETS_KEYS_FORM,
  type SecretsKeys,
  serverClock,
} from '@plugin-config/persistence';
import type { Settings } from './settings.ts';

/** The dependencies of the commands: the ports on the database, the master keys and settings. */
export type Services = Awaited<ReturnType<typeof openServices>>;

/** Rejects if the database does not match this version of the code. */
export async function openServices(settings: Settings) {
  const clickHouse = settings.clickHouse && openClickHouse(settings.clickHouse);
  const database = openDatabase({
    url: settings.databaseUrl,
    poolSize: 2,
    masterKeys: keysOf(settings),
    applicationName: 'plugin-config-cli',
    archive: clickHouse && clickHouseArchive({ clickHouse }),
  });
  const close = async (): Promise<void> => void (await Promise.all([database.close(), clickHouse?.close()]));
  try {
    const problem = await databaseProblem(database);
    if (problem !== null) throw new Error(problem);
    const clock = serverClock(database);
    await clock.set();
    const ports = postgresPorts(database);
    return {
      ...ports,
      clock,
      close,
      masterKeys: masterKeysOf(database),
      /** The stores for retried dead letters. */
      stores: postgresIngestionStores(database),
      /** Given to retried dead letters that have no instance id. */
      instanceId: ports.randomness.uuid(),
      retentionDays: settings.retentionDays,
      logQuota: settings.logQuota,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The master keys in `SECRETS_KEYS`, and those in use in the database. */
function masterKeysOf(database: Database) {
  return {
    /** The first key wraps data keys. */
    ids: [...database.masterKeys.keys()],
    /**
     * Rejects if it is unsafe to encrypt: no key is set, or one that the database needs differs or (unless `allowMissing`) is
     * missing.
     */
    require: async (options?: { readonly allowMissing?: boolean }): Promise<void> => {
      const problem = await masterKeysProblem(database, options);
      if (problem !== null) throw new Error(problem);
    },
    uses: () => masterKeyUses(database),
    /** Wraps every data key with the first key. */
    rotate: () => rotateMasterKey(database),
  };
}

function keysOf({ secretsKeys: { text, from } }: Settings): SecretsKeys {
  const keys = readSecretsKeys(text);
  if (keys !== null) return keys;
  throw new Error(`Invalid ${from}: expected ${SECRETS_KEYS_FORM}.`);
}
