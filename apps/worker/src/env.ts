import {
  COMMON_SETTINGS,
  hostSetting,
  portSetting,
  readSettings,
  setting,
  wholeNumber,
  type EnvOf,
} from '@plugin-config/service';
import * as z from 'zod';

const DAYS_MAX = 3650;
const NATS_SERVER = /^(?:nats|tls):\/\/[^\s,/]+$/;

const name = (usual: string) =>
  setting(
    z
      .string()
      .regex(/^[^\s.*>/\\]{1,255}$/)
      .default(usual),
    'a name without spaces, dots, * and >',
  );

const SETTINGS = {
  ...COMMON_SETTINGS,
  WORKER_HOST: hostSetting(),
  WORKER_PORT: portSetting(8001),
  NATS_URL: setting(
    z
      .string()
      .refine((list) => list.split(',').every((server) => NATS_SERVER.test(server.trim())))
      .nullable()
      .default(null),
    'the address of a NATS server, such as nats://user:password@host:4222, or several of them with commas between',
  ),
  NATS_STREAM: name('PLUGIN_LOGS'),
  NATS_SUBJECT: setting(
    z
      .string()
      .regex(/^(?:[^\s.*>]+|\*)(?:\.(?:[^\s.*>]+|\*))*(?:\.>)?$|^>$/)
      .default('plugin.logs.>'),
    'a subject, such as plugin.logs.>',
  ),
  NATS_CONSUMER: name('plugin-config-worker'),
  LOG_RETENTION_DAYS: setting(wholeNumber(1, DAYS_MAX).default(7), `whole days, 1 to ${DAYS_MAX}`),
} as const;

export type Env = EnvOf<typeof SETTINGS>;

/** Everything that the environment says, checked once. */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  return readSettings(SETTINGS, variables);
}
