import { DomainError, SKEW_MAX_MS, type Clock, type ClockReading } from '@plugin-config/domain';
import { dateAt } from './columns.ts';
import type { Database } from './database.ts';
import { run, type Statement } from './statement.ts';

const SERVER_TIME: Statement = {
  name: 'server_time',
  text: 'select clock_timestamp()',
  timeoutMs: 2_000,
};

/** Reads the clocks of the server and of this host. @throws DomainError `unavailable` */
export async function readClocks({ pool }: Pick<Database, 'pool'>): Promise<ClockReading> {
  const before = new Date();
  const [row] = await run(pool, SERVER_TIME, []);
  return { database: dateAt(row ?? [], 0), before, after: new Date() };
}

export interface ServerClock extends Clock {
  set(): Promise<ClockReading>;
}

const STALE_MS = 5_000;

/**
 * Returns a clock with the time of the server. A monotonic clock advances it; while in use, and after a failover, it is set again
 * in the background. The time is unknown until the clock is set, and whenever the two clocks of this host diverge because one of
 * them was set, or stopped while the host slept.
 */
export function serverClock(database: Pick<Database, 'pool' | 'primary'>): ServerClock {
  const { primary } = database;
  let offsets: { readonly wall: number; readonly server: number } | null = null;
  let setAt = Number.NEGATIVE_INFINITY;
  let { timeline } = primary;
  let isSetting = false;
  const set = async (): Promise<ClockReading> => {
    const start = (setAt = performance.now());
    ({ timeline } = primary);
    const reading = await readClocks(database);
    const monotonic = (start + performance.now()) / 2;
    offsets = { wall: Date.now() - performance.now(), server: reading.database.getTime() - monotonic };
    return reading;
  };
  /** Sets the clock in the background. Ignores errors, since callers get an error when the time is unknown. */
  const setInBackground = async (): Promise<void> => {
    if (isSetting) return;
    isSetting = true;
    await set().catch(() => undefined);
    isSetting = false;
  };
  return {
    set,
    now() {
      const monotonic = performance.now();
      const isKnown = offsets !== null && Math.abs(Date.now() - monotonic - offsets.wall) <= SKEW_MAX_MS;
      const isStale = monotonic - setAt > STALE_MS || timeline.ended.aborted;
      if (!isKnown || isStale) void setInBackground();
      if (offsets === null || !isKnown) throw unknownTime();
      return new Date(monotonic + offsets.server);
    },
  };
}

function unknownTime(): DomainError {
  return new DomainError('unavailable', "The database's time is currently unknown.", {
    retryAfterSeconds: 2,
  });
}
