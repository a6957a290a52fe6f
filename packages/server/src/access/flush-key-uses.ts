import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { KeyUses } from './key-uses.ts';

interface Dependencies {
  readonly uses: KeyUses;
  readonly logger: Logger;
}

const INTERVAL_MS = 10_000;

/** Stores the times of key uses at an interval, and once more when the app closes. */
export function flushKeyUses(app: FastifyInstance, { uses, logger }: Dependencies): void {
  const flush = (): Promise<void> =>
    uses.flush().catch((err: unknown) => logger.warn({ err }, 'could not write down when keys were used'));
  const timer = setInterval(() => void flush(), INTERVAL_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}
