import 'reflect-metadata';
import { clickHouseArchive, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import {
  TIMEOUT_MS,
  type LogEntryStore,
  type RuntimeConfigurations,
  type SessionCipher,
} from '@plugin-config/domain';
import {
  aesSessionCipher,
  type Database,
  openDatabase,
  postgresLogEntryStore,
  postgresPorts,
  postgresRuntimeConfigurations,
  type PostgresPorts,
  postgresWakeUps,
  type PostgresWakeUps,
  serverClock,
  type ServerClock,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory } from 'tsyringe';
import type { Env } from './env.ts';

interface OwnServices {
  readonly database: Database;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: ClickHouse | null;
  readonly clock: ServerClock;
  readonly logEntries: LogEntryStore;
  readonly wakeUps: PostgresWakeUps;
  readonly configurations: RuntimeConfigurations;
  readonly sessionCipher: SessionCipher;
}

/** The PostgreSQL adapters, and the services that have settings or run in the background. */
export type Services = PostgresPorts & OwnServices & { readonly dryPorts: PostgresPorts };

type Get = <Name extends keyof OwnServices>(name: Name) => OwnServices[Name];
/** A factory for each service; `get` returns the services it depends on. A missing factory does not compile. */
type Factories = { readonly [Name in keyof OwnServices]: (get: Get) => OwnServices[Name] };

const factories = (env: Env, database: Database): Factories => ({
  database: () => database,
  clickHouse: () => openArchive(env),
  logEntries: (get) => logEntriesOf(database, get('clickHouse'), env),
  wakeUps: () => postgresWakeUps(database),
  configurations: () => postgresRuntimeConfigurations(database),
  sessionCipher: () => aesSessionCipher(env.SECRETS_KEYS),
  clock: () => serverClock(database),
});

/** Opens the database and creates every service, to fail at startup rather than on first use. */
export async function openServices(env: Env): Promise<Services> {
  const database = openDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    masterKeys: env.SECRETS_KEYS,
    applicationName: 'plugin-config-http',
    publicUrl: env.PUBLIC_URL,
    statementTimeoutMs: TIMEOUT_MS,
  });
  return {
    ...postgresPorts(database),
    dryPorts: postgresPorts(database.dry),
    ...createAll(factories(env, database)),
  };
}

function openArchive(env: Env): ClickHouse | null {
  if (env.CLICKHOUSE_URL === null) return null;
  return openClickHouse({
    url: env.CLICKHOUSE_URL,
    cluster: env.CLICKHOUSE_CLUSTER,
    applicationName: 'plugin-config-http',
  });
}

function logEntriesOf(database: Database, clickHouse: ClickHouse | null, env: Env): LogEntryStore {
  const searchTimeoutMs = env.LOG_SEARCH_TIMEOUT_MS;
  return postgresLogEntryStore({
    ...database,
    searchTimeoutMs,
    ...(clickHouse !== null && { archive: clickHouseArchive({ clickHouse, searchTimeoutMs }) }),
  });
}

function createAll(make: Factories): OwnServices {
  const services = container.createChildContainer();
  const get: Get = (name) => services.resolve(name);
  const names = Object.keys(make) as (keyof OwnServices)[];
  for (const name of names) {
    services.register(name, { useFactory: instanceCachingFactory<unknown>(() => make[name](get)) });
  }
  return Object.fromEntries(names.map((name) => [name, get(name)])) as unknown as OwnServices;
}
