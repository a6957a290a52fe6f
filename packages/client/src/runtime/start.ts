import { PluginConfigError } from '../http/error.ts';
import { pauseMs, sleep, type Pauses } from '../http/retry.ts';
import type { RuntimeConfiguration } from '../wire.ts';
import type { CacheFile } from './cache-file.ts';
import { isAccessDenied, isTemporary, type Connection } from './connection.ts';

/** The configuration of a runtime, and when the service last confirmed it. */
export interface KnownConfiguration {
  readonly configuration: RuntimeConfiguration;
  readonly stale: boolean;
  /** By `performance.now()`, which is monotonic. */
  readonly confirmedAt: number;
}

interface Dependencies {
  readonly service: Connection;
  readonly cache: CacheFile;
  readonly pauses: Pauses;
  readonly startTimeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/** Resolves to the configuration from the service or, if it is unavailable, from the file. */
export async function start({
  service,
  cache,
  pauses,
  startTimeoutMs,
  onError,
}: Dependencies): Promise<KnownConfiguration> {
  const cached = await cache.load().catch((error: unknown) => {
    onError(error);
    return null;
  });
  const lastAttemptAt = performance.now() + startTimeoutMs;
  for (let failures = 1; ; failures++) {
    try {
      const configuration = await service.fetch(cached?.configuration ?? null);
      return { configuration, stale: false, confirmedAt: performance.now() };
    } catch (error) {
      if (!(error instanceof PluginConfigError)) throw error;
      if (isAccessDenied(error)) {
        await cache.remove().catch(onError);
        throw error;
      }
      onError(error);
      if (cached !== null) {
        const { configuration, ageMs } = cached;
        return { configuration, stale: true, confirmedAt: performance.now() - ageMs };
      }
      const pause = pauseMs(error, failures, pauses);
      if (!isTemporary(error) || performance.now() + pause > lastAttemptAt) throw error;
      await sleep(pause);
    }
  }
}
