import { DomainError, SKEW_MAX_MS, type Clock, type ClockReading } from '@plugin-config/domain';
import { dateAt } from './cells.ts';
import type { Database } from './database.ts';
import { run, type Statement } from './statement.ts';

const SERVER_TIME: Statement = {
  name: 'server_time',
  text: 'select clock_timestamp()',
  timeoutMs: 2_000,
};

/** Asks the server for its time, and notes this host's. @throws DomainError `unavailable` */
export async function readClocks({ pool }: Pick<Database, 'pool'>): Promise<ClockReading> {
  const before = new Date();
  const [row] = await run(pool, SERVER_TIME, []);
  return { database: dateAt(row ?? [], 0), before, after: new Date() };
}

export interface ServerClock extends Clock {
  /** Asks the server for its time. */
  set(): Promise<ClockReading>;
}

const STALE_MS = 5_000;

/**
 * The server's time, carried on by a monotonic clock, and set again in the background while it is read. It is not known
 * before it was set, and where this host's two clocks went apart since: one of them was set, or stood still while the
 * host slept.
 */
export function serverClock(database: Pick<Database, 'pool'>): ServerClock {
  let ahead: { readonly wall: number; readonly server: number } | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = false;
  const set = async (): Promise<ClockReading> => {
    const asked = (askedAt = performance.now());
    const reading = await readClocks(database);
    const monotonic = (asked + performance.now()) / 2;
    ahead = { wall: Date.now() - performance.now(), server: reading.database.getTime() - monotonic };
    return reading;
  };
  /** What fails here fails again, and is told, where the time is needed. */
  const setBeside = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    await set().catch(() => undefined);
    asking = false;
  };
  return {
    set,
    now() {
      const monotonic = performance.now();
      const isKnown = ahead !== null && Math.abs(Date.now() - monotonic - ahead.wall) <= SKEW_MAX_MS;
      if (!isKnown || monotonic - askedAt > STALE_MS) void setBeside();
      if (ahead === null || !isKnown) throw unknownTime();
      return new Date(monotonic + ahead.server);
    },
  };
}

function unknownTime(): DomainError {
  return new DomainError('unavailable', "The database's time is not known at the moment.", {
    retryAfterSeconds: 2,
  });
}
