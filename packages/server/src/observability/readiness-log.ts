import type { Logger } from 'pino';
import { reasonOf } from './reason-of.ts';

/** Readiness is asked for again and again: told is what has changed since the last time. */
export function readinessLog({ logger }: { readonly logger: Logger }) {
  let ready = true;
  return (isReady: boolean, failure: unknown): void => {
    if (ready && !isReady) logger.warn({ reason: reasonOf(failure) }, 'not ready');
    if (!ready && isReady) logger.info('ready again');
    ready = isReady;
  };
}
