import { accessSync, constants } from 'node:fs';
import { DEAD_LETTERS_PER_PROJECT, RETENTION_DAYS_MAX } from '@plugin-config/domain';
import {
  CannotStart,
  COMMON_SETTINGS,
  hostSetting,
  portSetting,
  readSettings,
  setting,
  WEBHOOK_SETTINGS,
  wholeNumber,
  type EnvOf,
} from '@plugin-config/server';
import * as z from 'zod';

const DAYS_MAX = 3650;
/** A day, in minutes. */
const UNCLAIMED_MAX = 1440;
const REVISIONS_MAX = 1000;
const DEAD_LETTERS_MAX = 100_000;
const REPLICAS_MAX = 5;
const NATS_SERVER = /^(?:nats|tls):\/\/[^\s,/]+$/;

const name = (defaultName: string) =>
  setting(
    z
      .string()
      .regex(/^[^\s.*>/\\]{1,255}$/)
      .default(defaultName),
    'a name without spaces, dots, slashes, * or >',
  );

const file = (content: string) =>
  setting(
    z.string().refine(isReadable).nullable().default(null),
    `the path of a readable file with ${content}`,
  );

const numberOf = (what: string, max: number, byDefault: number) =>
  setting(wholeNumber(1, max).default(byDefault), `a number of ${what}, 1 to ${max}`);

const SETTINGS = {
  ...COMMON_SETTINGS,
  ...WEBHOOK_SETTINGS,
  WORKER_HOST: hostSetting(),
  WORKER_PORT: portSetting(8001),
  NATS_URL: setting(
    z
      .string()
      .refine((list) => list.split(',').every((server) => NATS_SERVER.test(server.trim())))
      .nullable()
      .default(null),
    'the address of a NATS server, such as nats://user:password@host:4222, or a comma-separated list of them',
  ),
  NATS_STREAM: name('PLUGIN_LOGS'),
  NATS_SUBJECT: setting(
    z
      .string()
      .regex(/^(?:[^\s.*>]+|\*)(?:\.(?:[^\s.*>]+|\*))*(?:\.>)?$|^>$/)
      .default('plugin.logs.>'),
    'a subject such as plugin.logs.>',
  ),
  NATS_CONSUMER: name('plugin-config-worker'),
  NATS_REPLICAS: numberOf('replicas of each message', REPLICAS_MAX, 1),
  NATS_CREDS: file('the credentials of a NATS user'),
  NATS_CA: file('the CA certificates for NATS, in PEM'),
  NATS_CERT: file("the worker's certificate, in PEM"),
  NATS_KEY: file("the key of the worker's certificate, in PEM"),
  JOB_RETENTION_DAYS: numberOf('days', DAYS_MAX, 30),
  JOB_UNCLAIMED_MINUTES: numberOf('minutes', UNCLAIMED_MAX, 60),
  ACTIVITY_RETENTION_DAYS: setting(
    wholeNumber(1, DAYS_MAX).nullable().default(null),
    `a number of days, 1 to ${DAYS_MAX}`,
  ),
  REVISION_RETENTION: numberOf('revisions', REVISIONS_MAX, 100),
  DEAD_LETTERS_PER_PROJECT: numberOf('dead letters', DEAD_LETTERS_MAX, DEAD_LETTERS_PER_PROJECT),
  DELIVERY_RETENTION_DAYS: numberOf('days', RETENTION_DAYS_MAX, 30),
  LOG_HOT_DAYS: numberOf('days', RETENTION_DAYS_MAX, 1),
  LOG_RETENTION_DAYS: numberOf('days', RETENTION_DAYS_MAX, 7),
} as const;

export type Env = EnvOf<typeof SETTINGS>;

export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const env = readSettings(SETTINGS, variables);
  if ((env.NATS_CERT === null) === (env.NATS_KEY === null)) return env;
  throw new CannotStart('NATS_CERT and NATS_KEY belong together: set both or neither.');
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
