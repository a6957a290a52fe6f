import { isIP } from 'node:net';
import {
  addressesSetting,
  addressRulesIn,
  COMMON_SETTINGS,
  hostSetting,
  issuerRulesIn,
  logQuotaIn,
  originsSetting,
  portSetting,
  readSettings,
  setting,
  WEBHOOK_SETTINGS,
  wholeNumber,
  yesOrNo,
  type EnvOf,
} from '@plugin-config/server';
import * as z from 'zod';
import type { AppSettings } from './services.ts';
import { OIDC_SETTINGS, oidcIn } from './session/oidc/env.ts';

const SETTINGS = {
  ...COMMON_SETTINGS,
  ...WEBHOOK_SETTINGS,
  ADMIN_CHANGES_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000).default(300),
    'a number of changes per account per minute, 1 to 1000000',
  ),
  CONSOLE_TRANSFORMATIONS: setting(yesOrNo.default(true), 'true or false'),
  EMBED_ORIGINS: originsSetting(),
  HOST: hostSetting(),
  OIDC_ALLOW_ADDRESSES: addressesSetting(),
  ...OIDC_SETTINGS,
  PORT: portSetting(8000),
  LOG_SEARCH_TIMEOUT_MS: setting(wholeNumber(1, 60_000).default(5000), 'milliseconds, 1 to 60000'),
  SESSION_HOURS: setting(wholeNumber(1, 168).default(12), 'hours, 1 to 168'),
  TRUST_PROXY: setting(
    z.union([yesOrNo, z.string().refine((list) => list.split(',').every(isProxy))]).default(false),
    'true, false, or the addresses of the proxies, such as 10.0.0.0/8,127.0.0.1',
  ),
} as const;

/** Checks for an IP address or a CIDR block. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits ?? '0') && Number(bits ?? 0) <= longest;
}

export type Env = EnvOf<typeof SETTINGS>;

export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  return readSettings(SETTINGS, variables);
}

export function appSettings(env: Env): AppSettings {
  return {
    publicUrl: env.PUBLIC_URL,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    embedOrigins: env.EMBED_ORIGINS,
    consoleTransformations: env.CONSOLE_TRANSFORMATIONS,
    adminChangesPerMinute: env.ADMIN_CHANGES_PER_MINUTE,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    sessionHours: env.SESSION_HOURS,
    logQuota: logQuotaIn(env),
    requireRegistered: env.REQUIRE_REGISTERED_PLUGIN,
    addressRules: addressRulesIn(env),
    issuerRules: issuerRulesIn(env),
    oidc: oidcIn(env, issuerRulesIn(env)),
    keysSignIn: env.SIGN_IN !== 'oidc',
  };
}
