import 'reflect-metadata';
import type { IngestionStores, LogSource, LogUpkeep, WebhookSender } from '@plugin-config/domain';
import {
  postgresIngestionStores,
  postgresLogUpkeep,
  postgresPorts,
  type PostgresPorts,
  serverClock,
  type ServerClock,
} from '@plugin-config/persistence';
import { addressRulesIn, logQuotaIn, openDatabases, type Databases } from '@plugin-config/server';
import { container, instanceCachingFactory } from 'tsyringe';
import type { Env } from './env.ts';
import { jetStreamSource, type JetStreamSource } from './sources/jetstream/jetstream-source.ts';
import { pushSource, type PushSource } from './sources/push/push-source.ts';
import { httpWebhookSender } from './webhooks/http-webhook-sender.ts';

const MINUTE_MS = 60_000;

interface Ports extends Databases {
  readonly stores: IngestionStores;
  readonly upkeep: LogUpkeep;
  readonly clock: ServerClock;
  readonly instanceId: string;
  readonly webhookSender: WebhookSender;
  readonly push: PushSource;
  /** Null if `NATS_URL` is not set. */
  readonly stream: JetStreamSource | null;
  /** All sources except push. */
  readonly sources: readonly LogSource[];
}

export type Services = Awaited<ReturnType<typeof openServices>>;

type Get = <Name extends keyof Ports>(name: Name) => Ports[Name];
/** One factory for each port; a missing one does not compile. */
type Factories = { readonly [Name in keyof Ports]: (get: Get) => Ports[Name] };

const factories = (
  env: Env,
  { database, clickHouse }: Databases,
  { randomness }: PostgresPorts,
): Factories => ({
  database: () => database,
  clickHouse: () => clickHouse,
  stores: () => postgresIngestionStores(database),
  upkeep: () => postgresLogUpkeep(database),
  clock: () => serverClock(database),
  instanceId: () => randomness.uuid(),
  webhookSender: () => httpWebhookSender({ rules: addressRulesIn(env) }),
  push: () => pushSource(),
  stream: () => streamOf(env),
  sources: (get) => [get('stream')].filter((source) => source !== null),
});

/** Opens the database and creates each port once. Fails early if one cannot be created. */
export async function openServices(env: Env) {
  const databases = openDatabases(env, {
    applicationName: 'plugin-config-worker',
    publicUrl: env.PUBLIC_URL,
  });
  const ports = postgresPorts(databases.database);
  return {
    ...ports,
    ...createPorts(factories(env, databases, ports)),
    retentionDays: env.LOG_RETENTION_DAYS,
    logQuota: logQuotaIn(env),
    hotDays: env.LOG_HOT_DAYS,
    deadLettersPerProject: env.DEAD_LETTERS_PER_PROJECT,
    deliveryRetentionDays: env.DELIVERY_RETENTION_DAYS,
    jobRetentionDays: env.JOB_RETENTION_DAYS,
    unclaimedJobMs: env.JOB_UNCLAIMED_MINUTES * MINUTE_MS,
    activityRetentionDays: env.ACTIVITY_RETENTION_DAYS,
    revisionRetention: env.REVISION_RETENTION,
    requireRegistered: env.REQUIRE_REGISTERED_PLUGIN,
    corsOrigins: env.CORS_ORIGINS,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
  };
}

function createPorts(factoryOf: Factories): Ports {
  const ports = container.createChildContainer();
  const get: Get = (name) => ports.resolve(name);
  const names = Object.keys(factoryOf) as (keyof Ports)[];
  for (const name of names) {
    ports.register(name, { useFactory: instanceCachingFactory<unknown>(() => factoryOf[name](get)) });
  }
  return Object.fromEntries(names.map((name) => [name, get(name)])) as unknown as Ports;
}

function streamOf(env: Env): JetStreamSource | null {
  if (env.NATS_URL === null) return null;
  return jetStreamSource({
    address: {
      url: env.NATS_URL,
      credsFile: env.NATS_CREDS,
      caFile: env.NATS_CA,
      certFile: env.NATS_CERT,
      keyFile: env.NATS_KEY,
    },
    replicas: env.NATS_REPLICAS,
    stream: env.NATS_STREAM,
    subject: env.NATS_SUBJECT,
    consumer: env.NATS_CONSUMER,
    retentionDays: env.LOG_RETENTION_DAYS,
  });
}
