import { missingKeys, type SecretBox, type SecretStore } from '@plugin-config/domain';
import type { Logger } from 'pino';
import { logFailure } from '../observability/log-failure.ts';

const INTERVAL_MS = 60_000;

interface Dependencies {
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
}

/** Watches for secrets whose key is not in `SECRETS_KEYS`. The process stays ready: most of its work needs no secret. */
export interface KeyWatch {
  /** How many keys are in use and missing; not a number where that is not known. */
  missing(): number;
}

/** Looks at once, and then every minute: another process may have a key that this one lacks. */
export async function watchKeys({ logger, ...dependencies }: Dependencies): Promise<KeyWatch> {
  let missing: readonly string[] | undefined;
  const look = async (): Promise<void> => {
    try {
      const now = await missingKeys(dependencies);
      if (now.join(',') !== (missing ?? []).join(',')) tell(logger, now);
      missing = now;
    } catch (error) {
      logFailure(logger, { error, message: 'the keys of secrets could not be looked up', about: {} });
    }
  };
  await look();
  setInterval(() => void look(), INTERVAL_MS).unref();
  return { missing: () => missing?.length ?? Number.NaN };
}

function tell(logger: Logger, missing: readonly string[]): void {
  if (missing.length === 0) logger.info('no key of stored secrets is missing any more');
  else
    logger.error(
      { missing },
      `secrets are encrypted with keys that SECRETS_KEYS lacks (${missing.join(', ')}): add these keys`,
    );
}
