import type { LogQuota } from '@plugin-config/domain';
import { readSecretsKeys, SECRETS_KEYS_FORM } from '@plugin-config/persistence';
import { DATABASE_URL_FORM, isDatabaseUrl } from '@plugin-config/persistence/database-url';
import { SAMPLERS } from '@plugin-config/tracing';
import * as z from 'zod';
import { LOG_LEVELS } from '../observability/logger.ts';
import { commaSeparated, setting, wholeNumber, yesOrNo, type EnvOf } from './settings.ts';

const SERVICE_NAME_MAX = 255;

export const hostSetting = () =>
  setting(
    z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    'a host name or an IP address',
  );

export const portSetting = (defaultPort: number) =>
  setting(wholeNumber(0, 65_535).default(defaultPort), 'a port number, 0 to 65535');

const quotaSetting = (unit: string) =>
  setting(
    wholeNumber(1, Number.MAX_SAFE_INTEGER).nullable().default(null),
    `a maximum number of ${unit} per project per day`,
  );

/** A list of exact origins, which is empty by default. */
export const originsSetting = () =>
  setting(
    commaSeparated
      .refine((origins) => origins.every(isOrigin))
      .transform((origins): ReadonlySet<string> => new Set(origins)),
    'origins of pages, such as https://app.example.com,http://localhost:5173',
  );

/** The settings of every process of the service. */
export const COMMON_SETTINGS = {
  CORS_ORIGINS: originsSetting(),
  CLICKHOUSE_CLUSTER: setting(
    z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .nullable()
      .default(null),
    'the name of a ClickHouse cluster',
  ),
  CLICKHOUSE_URL: setting(
    z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
    'an address such as http://user:password@host:8123/database',
  ),
  DATABASE_URL: setting(
    z.string().refine(isDatabaseUrl),
    `${DATABASE_URL_FORM}; npm start sets it for the embedded database`,
  ),
  DATABASE_POOL_SIZE: setting(wholeNumber(3, 1000).default(10), 'a number of connections, 3 to 1000'),
  LOG_LEVEL: setting(z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`),
  LOG_QUOTA_BYTES_PER_DAY: quotaSetting('bytes of messages'),
  LOG_QUOTA_ENTRIES_PER_DAY: quotaSetting('entries'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
    'the base URL of an OTLP/HTTP collector, such as http://localhost:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    z
      .string()
      .regex(/^[^=,\s]+=[^,]*(?:,[^=,\s]+=[^,]*)*$/)
      .default(''),
    'name=value[,name=value…], with percent-encoded values',
  ),
  OTEL_SERVICE_NAME: setting(
    z.string().max(SERVICE_NAME_MAX).nullable().default(null),
    `the name of the process in traces, up to ${SERVICE_NAME_MAX} characters`,
  ),
  OTEL_TRACES_SAMPLER: setting(
    z.enum(SAMPLERS).default('parentbased_always_on'),
    `one of ${SAMPLERS.join(', ')}`,
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z
      .string()
      .regex(/^(?:0|1|0?\.\d{1,9}|1\.0{1,9})$/)
      .default('1')
      .transform(Number),
    'the share of traces to sample, 0 to 1',
  ),
  RATE_LIMIT_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000).nullable().default(null),
    'a number of requests per key per minute, 1 to 1000000',
  ),
  REQUIRE_REGISTERED_PLUGIN: setting(yesOrNo.default(false), 'true or false'),
  SECRETS_KEYS: setting(
    z
      .string()
      .transform(readSecretsKeys)
      .pipe(z.map(z.string(), z.instanceof(Buffer)).min(1)),
    SECRETS_KEYS_FORM,
  ),
} as const;

/** Returns the quota of projects that do not set their own. */
export function logQuotaIn(
  env: Pick<EnvOf<typeof COMMON_SETTINGS>, 'LOG_QUOTA_BYTES_PER_DAY' | 'LOG_QUOTA_ENTRIES_PER_DAY'>,
): LogQuota {
  return { entriesPerDay: env.LOG_QUOTA_ENTRIES_PER_DAY, bytesPerDay: env.LOG_QUOTA_BYTES_PER_DAY };
}

/** Returns whether a text is an origin as a browser sends it: without path, default port or capitals. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+$/.test(text) && URL.parse(text)?.origin === text;
}
