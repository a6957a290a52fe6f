import 'reflect-metadata';
import type {
  AccessProbe,
  ActivityLog,
  ApiKeyStore,
  ConfigRecordStore,
  JobStore,
  LogEntryStore,
  ProjectStore,
  Randomness,
  SecretBox,
  SecretStore,
  TokenHasher,
} from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresAccessProbe,
  postgresActivityLog,
  postgresApiKeyStore,
  postgresConfigRecordStore,
  postgresJobStore,
  postgresLogEntryStore,
  postgresProjectStore,
  postgresSecretStore,
  serverClock,
  sha256TokenHasher,
  type Database,
  type ServerClock,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Ports } from './app.ts';
import { PATIENCE_MS } from './requests/patience-of.ts';
import type { Env } from './env.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);
const once = <T>(make: (c: DependencyContainer) => T) => ({ useFactory: instanceCachingFactory(make) });

const DATABASE = token<Database>('Database');
const PROBE = token<AccessProbe>('AccessProbe');
const KEYS = token<ApiKeyStore>('ApiKeyStore');
const HASHER = token<TokenHasher>('TokenHasher');
const PROJECTS = token<ProjectStore>('ProjectStore');
const RECORDS = token<ConfigRecordStore>('ConfigRecordStore');
const ACTIVITY = token<ActivityLog>('ActivityLog');
const JOBS = token<JobStore>('JobStore');
const LOG_ENTRIES = token<LogEntryStore>('LogEntryStore');
const SECRETS = token<SecretStore>('SecretStore');
const SECRET_BOX = token<SecretBox>('SecretBox');
const RANDOMNESS = token<Randomness>('Randomness');
const CLOCK = token<ServerClock>('ServerClock');

export interface Services {
  readonly ports: Ports;
  readonly secrets: SecretStore;
  readonly clock: ServerClock;
  readonly database: Database;
}

/** Opens the database and makes each port once; fails early if one cannot be made. */
export async function openServices(env: Env): Promise<Services> {
  const database = await openDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    applicationName: 'plugin-config-http',
    patienceMs: PATIENCE_MS,
  });
  const services = register(env, database);
  return {
    ports: portsOf(services),
    secrets: services.resolve(SECRETS),
    clock: services.resolve(CLOCK),
    database,
  };
}

function register(env: Env, database: Database): DependencyContainer {
  const searchTimeoutMs = env.LOG_SEARCH_TIMEOUT_MS;
  const services = container.createChildContainer();
  services.register(DATABASE, { useValue: database });
  services.register(
    PROBE,
    once((c) => postgresAccessProbe(c.resolve(DATABASE))),
  );
  services.register(
    KEYS,
    once((c) => postgresApiKeyStore(c.resolve(DATABASE))),
  );
  services.register(
    HASHER,
    once(() => sha256TokenHasher()),
  );
  services.register(
    PROJECTS,
    once((c) => postgresProjectStore(c.resolve(DATABASE))),
  );
  services.register(
    RECORDS,
    once((c) => postgresConfigRecordStore(c.resolve(DATABASE))),
  );
  services.register(
    ACTIVITY,
    once((c) => postgresActivityLog(c.resolve(DATABASE))),
  );
  services.register(
    JOBS,
    once((c) => postgresJobStore(c.resolve(DATABASE))),
  );
  services.register(
    LOG_ENTRIES,
    once((c) => postgresLogEntryStore({ ...c.resolve(DATABASE), searchTimeoutMs })),
  );
  services.register(
    SECRETS,
    once((c) => postgresSecretStore(c.resolve(DATABASE))),
  );
  services.register(
    SECRET_BOX,
    once(() => aesSecretBox(env.SECRETS_KEYS)),
  );
  services.register(
    RANDOMNESS,
    once(() => nodeRandomness()),
  );
  services.register(
    CLOCK,
    once((c) => serverClock(c.resolve(DATABASE))),
  );
  return services;
}

function portsOf(services: DependencyContainer): Ports {
  return {
    probe: services.resolve(PROBE),
    keys: services.resolve(KEYS),
    hasher: services.resolve(HASHER),
    projects: services.resolve(PROJECTS),
    records: services.resolve(RECORDS),
    activity: services.resolve(ACTIVITY),
    jobs: services.resolve(JOBS),
    logEntries: services.resolve(LOG_ENTRIES),
    secretBox: services.resolve(SECRET_BOX),
    randomness: services.resolve(RANDOMNESS),
    clock: services.resolve(CLOCK),
  };
}
