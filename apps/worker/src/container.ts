import 'reflect-metadata';
import {
  handlerRuns,
  type AccessProbe,
  type ActivityUpkeep,
  type ApiKeyStore,
  type DeadLetterStore,
  type DeliveryRates,
  type HandlerRuns,
  type IngestionStores,
  type JobHandler,
  type JobRunStore,
  type JobUpkeep,
  type KeptAnswerUpkeep,
  type LogEntryStore,
  type LogOutbox,
  type LogSource,
  type LogUpkeep,
  type Randomness,
  type SecretBox,
  type SecretStore,
  type TokenHasher,
} from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresAccessProbe,
  postgresActivityUpkeep,
  postgresApiKeyStore,
  postgresDeadLetterStore,
  postgresDeliveryRates,
  postgresIngestionStores,
  postgresJobRunStore,
  postgresJobUpkeep,
  postgresKeptAnswerUpkeep,
  postgresLogAppender,
  postgresLogOutbox,
  postgresLogUpkeep,
  postgresSecretStore,
  serverClock,
  sha256TokenHasher,
  type Database,
  type ServerClock,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Env } from './env.ts';
import { say } from './job-handlers/say.ts';
import { jetStreamSource, type JetStreamSource } from './sources/jetstream/jetstream-source.ts';
import { pushSource, type PushSource } from './sources/push/push-source.ts';
import { risingIds } from './sources/push/rising-ids.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);
const once = <T>(make: (c: DependencyContainer) => T) => ({ useFactory: instanceCachingFactory(make) });

const DATABASE = token<Database>('Database');
const PROBE = token<AccessProbe>('AccessProbe');
const KEYS = token<ApiKeyStore>('ApiKeyStore');
const HASHER = token<TokenHasher>('TokenHasher');
const STORES = token<IngestionStores>('IngestionStores');
const LETTERS = token<DeadLetterStore>('DeadLetterStore');
const LOG = token<Pick<LogEntryStore, 'append'>>('LogEntryStore');
const OUTBOX = token<LogOutbox>('LogOutbox');
const UPKEEP = token<LogUpkeep>('LogUpkeep');
const RATES = token<DeliveryRates>('DeliveryRates');
const JOBS = token<JobRunStore>('JobRunStore');
const JOB_UPKEEP = token<JobUpkeep>('JobUpkeep');
const KEPT_ANSWER_UPKEEP = token<KeptAnswerUpkeep>('KeptAnswerUpkeep');
const ACTIVITY_UPKEEP = token<ActivityUpkeep>('ActivityUpkeep');
const HANDLER_RUNS = token<HandlerRuns>('HandlerRuns');
const SECRETS = token<SecretStore>('SecretStore');
const SECRET_BOX = token<SecretBox>('SecretBox');
const RANDOMNESS = token<Randomness>('Randomness');
const CLOCK = token<ServerClock>('ServerClock');
const INSTANCE_ID = token<string>('InstanceId');
const PUSH = token<PushSource>('PushSource');
const STREAM = token<JetStreamSource | null>('JetStreamSource');
const SOURCES = token<readonly LogSource[]>('LogSources');

/** The job handlers of the plugins: one line each. */
const JOB_HANDLERS: readonly JobHandler[] = [say];

export interface Services {
  readonly database: Database;
  readonly probe: AccessProbe;
  readonly keys: ApiKeyStore;
  readonly hasher: TokenHasher;
  readonly stores: IngestionStores;
  readonly letters: DeadLetterStore;
  readonly log: Pick<LogEntryStore, 'append'>;
  readonly outbox: LogOutbox;
  readonly upkeep: LogUpkeep;
  readonly rates: DeliveryRates;
  readonly jobs: JobRunStore;
  readonly jobUpkeep: JobUpkeep;
  readonly activityUpkeep: ActivityUpkeep;
  readonly keptAnswerUpkeep: KeptAnswerUpkeep;
  readonly handlers: readonly JobHandler[];
  readonly handlerRuns: HandlerRuns;
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly randomness: Randomness;
  readonly clock: ServerClock;
  readonly push: PushSource;
  /** Null if `NATS_URL` is not set. */
  readonly stream: JetStreamSource | null;
  /** Every source but push. */
  readonly sources: readonly LogSource[];
  readonly instanceId: string;
  readonly retentionDays: number;
  readonly jobTimeoutMs: number;
  readonly jobRetentionDays: number;
  readonly activityRetentionDays: number | null;
  readonly requireRegistered: boolean;
  readonly corsOrigins: ReadonlySet<string>;
  readonly rateLimitPerMinute: number | null;
}

/** Opens the database and makes each port once; fails early if one cannot be made. */
export async function openServices(env: Env, handlers = JOB_HANDLERS): Promise<Services> {
  const database = await openDatabase({
    url: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    applicationName: 'plugin-config-worker',
  });
  const services = register(env, database);
  return {
    database,
    probe: services.resolve(PROBE),
    keys: services.resolve(KEYS),
    hasher: services.resolve(HASHER),
    stores: services.resolve(STORES),
    letters: services.resolve(LETTERS),
    log: services.resolve(LOG),
    outbox: services.resolve(OUTBOX),
    upkeep: services.resolve(UPKEEP),
    rates: services.resolve(RATES),
    jobs: services.resolve(JOBS),
    jobUpkeep: services.resolve(JOB_UPKEEP),
    activityUpkeep: services.resolve(ACTIVITY_UPKEEP),
    keptAnswerUpkeep: services.resolve(KEPT_ANSWER_UPKEEP),
    handlers,
    handlerRuns: services.resolve(HANDLER_RUNS),
    secrets: services.resolve(SECRETS),
    secretBox: services.resolve(SECRET_BOX),
    randomness: services.resolve(RANDOMNESS),
    clock: services.resolve(CLOCK),
    push: services.resolve(PUSH),
    stream: services.resolve(STREAM),
    sources: services.resolve(SOURCES),
    instanceId: services.resolve(INSTANCE_ID),
    retentionDays: env.LOG_RETENTION_DAYS,
    jobTimeoutMs: env.JOB_TIMEOUT_MS,
    jobRetentionDays: env.JOB_RETENTION_DAYS,
    activityRetentionDays: env.ACTIVITY_RETENTION_DAYS,
    requireRegistered: env.REQUIRE_REGISTERED_PLUGIN,
    corsOrigins: env.CORS_ORIGINS,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
  };
}

function register(env: Env, database: Database): DependencyContainer {
  const services = container.createChildContainer();
  const add = <T>(name: InjectionToken<T>, make: (c: DependencyContainer) => T): void =>
    void services.register(name, once(make));
  services.register(DATABASE, { useValue: database });
  add(PROBE, (c) => postgresAccessProbe(c.resolve(DATABASE)));
  add(KEYS, (c) => postgresApiKeyStore(c.resolve(DATABASE)));
  add(HASHER, () => sha256TokenHasher());
  add(STORES, (c) => postgresIngestionStores(c.resolve(DATABASE)));
  add(LETTERS, (c) => postgresDeadLetterStore(c.resolve(DATABASE)));
  add(LOG, (c) => postgresLogAppender(c.resolve(DATABASE)));
  add(OUTBOX, (c) => postgresLogOutbox(c.resolve(DATABASE)));
  add(UPKEEP, (c) => postgresLogUpkeep(c.resolve(DATABASE)));
  add(RATES, (c) => postgresDeliveryRates(c.resolve(DATABASE)));
  add(JOBS, (c) =>
    postgresJobRunStore({
      ...c.resolve(DATABASE),
      randomness: c.resolve(RANDOMNESS),
      instanceId: c.resolve(INSTANCE_ID),
    }),
  );
  add(JOB_UPKEEP, (c) => postgresJobUpkeep(c.resolve(DATABASE)));
  add(ACTIVITY_UPKEEP, (c) => postgresActivityUpkeep(c.resolve(DATABASE)));
  add(KEPT_ANSWER_UPKEEP, (c) => postgresKeptAnswerUpkeep(c.resolve(DATABASE)));
  add(HANDLER_RUNS, () => handlerRuns());
  add(SECRETS, (c) => postgresSecretStore(c.resolve(DATABASE)));
  add(SECRET_BOX, () => aesSecretBox(env.SECRETS_KEYS));
  add(RANDOMNESS, () => ({ ...nodeRandomness(), uuid: risingIds() }));
  add(CLOCK, (c) => serverClock(c.resolve(DATABASE)));
  add(INSTANCE_ID, (c) => c.resolve(RANDOMNESS).uuid());
  add(PUSH, () => pushSource());
  add(STREAM, () => streamOf(env));
  add(SOURCES, (c) => sourcesOf({ stream: c.resolve(STREAM) }));
  return services;
}

/** The sources that are read until the worker stops: one line each. Push is read until the server is closed. */
function sourcesOf({ stream }: Pick<Services, 'stream'>): readonly LogSource[] {
  return [stream].filter((source) => source !== null);
}

function streamOf(env: Env): JetStreamSource | null {
  if (env.NATS_URL === null) return null;
  return jetStreamSource({
    url: env.NATS_URL,
    stream: env.NATS_STREAM,
    subject: env.NATS_SUBJECT,
    consumer: env.NATS_CONSUMER,
    retentionDays: env.LOG_RETENTION_DAYS,
  });
}
