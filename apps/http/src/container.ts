import 'reflect-metadata';
import { clickHouseLog, openClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import { PATIENCE_MS, type LogEntryStore, type SecretStore, type SeparateLog } from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresAccessProbe,
  postgresActivityLog,
  postgresApiKeyStore,
  postgresConfigRecordStore,
  postgresFamilyChanges,
  postgresJobStore,
  postgresLogArrivals,
  postgresLogEntryStore,
  postgresProjectStore,
  postgresSecretStore,
  postgresWakeUps,
  separateLogEntryStore,
  serverClock,
  sha256TokenHasher,
  type Database,
  type PostgresWakeUps,
  type ServerClock,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory } from 'tsyringe';
import type { Ports } from './app.ts';
import type { Env } from './env.ts';

export interface Services extends Ports {
  readonly database: Database;
  /** Null if `CLICKHOUSE_URL` is not set. */
  readonly clickHouse: ClickHouse | null;
  /** The entries of logs if PostgreSQL does not have them. */
  readonly separateLog: SeparateLog | null;
  readonly secrets: SecretStore;
  readonly clock: ServerClock;
  readonly wakeUps: PostgresWakeUps;
}

type Get = <Name extends keyof Services>(name: Name) => Services[Name];
/** Each makes one service, from others if it needs them. A service without a factory does not compile. */
type Factories = { readonly [Name in keyof Services]: (get: Get) => Services[Name] };

const factories = (env: Env, database: Database): Factories => ({
  database: () => database,
  clickHouse: () => openLogDatabase(env),
  separateLog: (get) => separateLogOf(get('clickHouse'), env),
  probe: () => postgresAccessProbe(database),
  keys: () => postgresApiKeyStore(database),
  hasher: () => sha256TokenHasher(),
  projects: () => postgresProjectStore(database),
  records: () => postgresConfigRecordStore(database),
  changes: () => postgresFamilyChanges(database),
  activity: () => postgresActivityLog(database),
  jobs: () => postgresJobStore(database),
  logEntries: (get) => logEntriesOf(database, get('separateLog'), env),
  arrivals: () => postgresLogArrivals(database),
  wakeUps: () => postgresWakeUps(database),
  secrets: () => postgresSecretStore(database),
  secretBox: () => aesSecretBox(env.SECRETS_KEYS),
  randomness: () => nodeRandomness(),
  clock: () => serverClock(database),
});

/** Opens the database and makes each service once; fails early if one cannot be made. */
export async function openServices(env: Env): Promise<Services> {
  const database = openDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    applicationName: 'plugin-config-http',
    statementTimeoutMs: PATIENCE_MS,
  });
  return makeEach(factories(env, database));
}

function openLogDatabase(env: Env): ClickHouse | null {
  if (env.CLICKHOUSE_URL === null) return null;
  return openClickHouse({
    url: env.CLICKHOUSE_URL,
    cluster: env.CLICKHOUSE_CLUSTER,
    applicationName: 'plugin-config-http',
  });
}

function separateLogOf(clickHouse: ClickHouse | null, env: Env): SeparateLog | null {
  return clickHouse && clickHouseLog({ clickHouse, searchTimeoutMs: env.LOG_SEARCH_TIMEOUT_MS });
}

function logEntriesOf(database: Database, separateLog: SeparateLog | null, env: Env): LogEntryStore {
  return separateLog === null
    ? postgresLogEntryStore({ ...database, searchTimeoutMs: env.LOG_SEARCH_TIMEOUT_MS })
    : separateLogEntryStore({ ...database, separateLog });
}

/** Makes each service once. */
function makeEach(make: Factories): Services {
  const services = container.createChildContainer();
  const get: Get = (name) => services.resolve(name);
  const names = Object.keys(make) as (keyof Services)[];
  for (const name of names) {
    services.register(name, { useFactory: instanceCachingFactory<unknown>(() => make[name](get)) });
  }
  return Object.fromEntries(names.map((name) => [name, get(name)])) as unknown as Services;
}
