import { isIP } from 'node:net';
import { readSecretsKeys } from '@plugin-config/persistence';
import * as z from 'zod';
import type { AppSettings } from './app.ts';
import { LOG_LEVELS } from './observability/logger.ts';
import { CannotStart } from './lifecycle/cannot-start.ts';

interface Setting<S extends z.ZodType> {
  readonly schema: S;
  readonly takes: string;
}

const setting = <S extends z.ZodType>(schema: S, takes: string): Setting<S> => ({ schema, takes });

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

const yesOrNo = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

const SETTINGS = {
  HOST: setting(
    z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    'a host name or an IP address',
  ),
  PORT: setting(wholeNumber(0, 65_535).default(8000), 'a port number, 0 to 65535'),
  DATABASE_URL: setting(
    z.url({ protocol: /^postgres(?:ql)?$/ }),
    'an address such as postgres://user:password@host:5432/database (npm start sets it for the embedded database)',
  ),
  DATABASE_POOL_SIZE: setting(wholeNumber(2, 1000).default(10), 'the most connections to hold, 2 to 1000'),
  LOG_LEVEL: setting(z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`),
  LOG_SEARCH_TIMEOUT_MS: setting(wholeNumber(1, 60_000).default(5000), 'milliseconds, 1 to 60000'),
  RATE_LIMIT_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000).nullable().default(null),
    'requests a minute for each key, 1 to 1000000; no limit unless set',
  ),
  PUBLIC_URL: setting(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => !/[?#]/.test(url))
      .transform((url) => url.replace(/\/+$/, ''))
      .nullable()
      .default(null),
    'the address that callers know the service by, such as https://plugins.example.com',
  ),
  TRUST_PROXY: setting(
    z.union([yesOrNo, z.string().refine((list) => list.split(',').every(isProxy))]).default(false),
    'true, false, or the addresses of the proxies, such as 10.0.0.0/8,127.0.0.1',
  ),
  REQUIRE_REGISTERED_PLUGIN: setting(yesOrNo.default(false), 'true or false'),
  SECRETS_KEYS: setting(
    z
      .string()
      .default('')
      .transform(readSecretsKeys)
      .pipe(z.map(z.string(), z.instanceof(Buffer))),
    'id:base64key[,id:base64key…] with keys of 32 bytes; the first one encrypts',
  ),
} as const;

/** An address, or a block of them. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits ?? '0') && Number(bits ?? 0) <= longest;
}

type Names = keyof typeof SETTINGS;

export type Env = { readonly [N in Names]: z.output<(typeof SETTINGS)[N]['schema']> };

/** Everything that the environment says, checked once. An empty variable counts as not set. */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const entries = Object.entries(SETTINGS).map(([name, { schema, takes }]) => {
    const read = schema.safeParse(variables[name] || undefined);
    if (!read.success) throw new CannotStart(`${name} takes ${takes}.`);
    return [name, read.data];
  });
  return Object.fromEntries(entries) as Env;
}

export function appSettings(env: Env): AppSettings {
  return {
    publicUrl: env.PUBLIC_URL,
    trustProxy: env.TRUST_PROXY,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    requireRegistered: env.REQUIRE_REGISTERED_PLUGIN,
  };
}
