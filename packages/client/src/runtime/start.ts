import { PluginConfigError } from '../http/error.ts';
import { pauseMs, sleep, type Pauses } from '../http/retry.ts';
import type { Cache } from './cache.ts';
import { isAccessDenied, isTemporary, type Connection } from './connection.ts';

/** The state of a runtime: a configuration, or the projects. */
export interface Followed {
  readonly version: string;
  /** False if the service has more to send now. */
  readonly isComplete?: boolean;
}

/** The state of a runtime, and when the service last confirmed it. */
export interface Known<State> {
  readonly state: State;
  readonly stale: boolean;
  /** By `performance.now()`, which is monotonic. */
  readonly confirmedAt: number;
}

interface Dependencies<State> {
  readonly service: Pick<Connection<State>, 'fetch'>;
  readonly cache: Cache<State>;
  readonly pauses: Pauses;
  readonly startTimeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/** Resolves to the state from the service or, if it is unavailable, from the file. */
export async function start<State extends Followed>({
  service,
  cache,
  pauses,
  startTimeoutMs,
  onError,
}: Dependencies<State>): Promise<Known<State>> {
  const cached = await cache.load().catch((error: unknown) => {
    onError(error);
    return null;
  });
  const lastAttemptAt = performance.now() + startTimeoutMs;
  let state = cached?.state ?? null;
  for (let failures = 1; ;) {
    try {
      state = await service.fetch(state);
      if (state.isComplete !== false) return { state, stale: false, confirmedAt: performance.now() };
    } catch (error) {
      if (!(error instanceof PluginConfigError)) throw error;
      if (isAccessDenied(error)) {
        await cache.remove().catch(onError);
        throw error;
      }
      onError(error);
      if (cached !== null && state !== null)
        return { state, stale: true, confirmedAt: performance.now() - cached.ageMs };
      const pause = pauseMs(error, failures++, pauses);
      if (!isTemporary(error) || performance.now() + pause > lastAttemptAt) throw error;
      await sleep(pause);
    }
  }
}
