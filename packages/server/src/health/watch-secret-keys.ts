import { missingSecretKeys, type SecretBox, type SecretStore } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { logFailure } from '../observability/log-failure.ts';

const INTERVAL_MS = 60_000;

interface Dependencies {
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
}

/** Watches for secrets whose key is not in `SECRETS_KEYS`. The process stays ready: most of its work needs no secret. */
export interface SecretKeyWatch {
  /** The number of keys that are in use and missing; NaN if it is not known. */
  missing(): number;
}

/** Checks now and every minute: another process may encrypt with a key that this one lacks. */
export async function watchSecretKeys({ logger, ...dependencies }: Dependencies): Promise<SecretKeyWatch> {
  let missing: readonly string[] | undefined;
  const check = async (): Promise<void> => {
    try {
      const now = await missingSecretKeys(dependencies);
      if (now.join(',') !== (missing ?? []).join(',')) logMissing(logger, now);
      missing = now;
    } catch (error) {
      logFailure(logger, { error, message: 'the keys of secrets could not be read', about: {} });
    }
  };
  await check();
  setInterval(() => void check(), INTERVAL_MS).unref();
  return { missing: () => missing?.length ?? Number.NaN };
}

function logMissing(logger: Logger, missing: readonly string[]): void {
  if (missing.length === 0) logger.info('no key of stored secrets is missing any more');
  else
    logger.error(
      { missing },
      `secrets are encrypted with keys that SECRETS_KEYS lacks (${missing.join(', ')}): add these keys`,
    );
}
