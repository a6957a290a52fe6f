import 'reflect-metadata';
import { clickHouseArchive, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import type { Clock, Randomness } from '@plugin-config/domain';
import {
  type Database,
  openDatabase,
  postgresIngestionStores,
  postgresPorts,
  readSecretsKeys,
  SECRETS_KEYS_FORM,
  serverClock,
  type SecretsKeys,
  databaseProblem,
  masterKeysProblem,
  masterKeyUses,
  rotateMasterKey,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory } from 'tsyringe';
import type { MasterKeys, OwnServices, Services } from './services.ts';
import type { Settings } from './settings.ts';

type Get = <Name extends keyof OwnServices>(name: Name) => OwnServices[Name];
/** One factory for each service; a missing one does not compile. */
type Factories = { readonly [Name in keyof OwnServices]: (get: Get) => OwnServices[Name] };

interface FactoryInputs {
  readonly settings: Settings;
  readonly database: Database;
  /** Null without an archive. */
  readonly clickHouse: ClickHouse | null;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

const factories = ({ settings, database, clickHouse, clock, randomness }: FactoryInputs): Factories => ({
  stores: () =>
    postgresIngestionStores({
      ...database,
      ...(clickHouse !== null && { archive: clickHouseArchive({ clickHouse }) }),
    }),
  masterKeys: () => masterKeysOf(database),
  clock: () => clock,
  instanceId: () => randomness.uuid(),
  retentionDays: () => settings.retentionDays,
  logQuota: () => settings.logQuota,
});

/** Opens the services that the commands use. Rejects if the database does not match this version of the code. */
export async function openServices(settings: Settings): Promise<Services & { close(): Promise<void> }> {
  const database = openDatabase({
    url: settings.databaseUrl,
    poolSize: 2,
    masterKeys: keysOf(settings),
    applicationName: 'plugin-config-cli',
  });
  const clickHouse = settings.clickHouse && openClickHouse(settings.clickHouse);
  const close = async (): Promise<void> => void (await Promise.all([database.close(), clickHouse?.close()]));
  try {
    await checkDatabase(database);
    const clock = serverClock(database);
    await clock.set();
    const ports = postgresPorts(database);
    const own = createServices(
      factories({ settings, database, clickHouse, clock, randomness: ports.randomness }),
    );
    return { ...ports, ...own, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function checkDatabase(database: Database): Promise<void> {
  const reason = await databaseProblem(database);
  if (reason !== null) throw new Error(reason);
}

function createServices(factoryOf: Factories): OwnServices {
  const services = container.createChildContainer();
  const get: Get = (name) => services.resolve(name);
  const names = Object.keys(factoryOf) as (keyof OwnServices)[];
  for (const name of names) {
    services.register(name, { useFactory: instanceCachingFactory<unknown>(() => factoryOf[name](get)) });
  }
  return Object.fromEntries(names.map((name) => [name, get(name)])) as unknown as OwnServices;
}

function masterKeysOf(database: Database): MasterKeys {
  return {
    ids: [...database.masterKeys.keys()],
    require: async (options) => {
      const problem = await masterKeysProblem(database, options);
      if (problem !== null) throw new Error(problem);
    },
    uses: () => masterKeyUses(database),
    rotate: () => rotateMasterKey(database),
  };
}

function keysOf({ secretsKeys: { text, from } }: Settings): SecretsKeys {
  const keys = readSecretsKeys(text);
  if (keys !== null) return keys;
  throw new Error(`Invalid ${from}: expected ${SECRETS_KEYS_FORM}.`);
}
