import type { ApiKeyStore } from '@plugin-config/domain';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** Keeps the last use of each key in memory until `flush` stores it, so requests do not wait for the write. */
export interface KeyUses {
  add(keyId: number, at: Date): void;
  flush(): Promise<void>;
}

const FLUSH_MS = 10_000;

export function keyUses({ keys }: { readonly keys: Pick<ApiKeyStore, 'touch'> }): KeyUses {
  let uses = new Map<number, Date>();
  return {
    add(keyId, at) {
      uses.set(keyId, at);
    },
    async flush() {
      if (uses.size === 0) return;
      const flushed = uses;
      uses = new Map();
      try {
        await keys.touch(flushed);
      } catch (error) {
        uses = new Map([...flushed, ...uses]);
        throw error;
      }
    },
  };
}

/** Flushes the key uses at an interval and when the app closes. */
export function flushKeyUses(
  app: FastifyInstance,
  { uses, logger }: { readonly uses: KeyUses; readonly logger: Logger },
): void {
  const flush = (): Promise<void> =>
    uses.flush().catch((err: unknown) => logger.warn({ err }, 'could not store when keys were last used'));
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}
