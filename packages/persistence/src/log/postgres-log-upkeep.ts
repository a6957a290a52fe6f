import { setTimeout as sleep } from 'node:timers/promises';
import type { LogUpkeep } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { nullIfBusy } from '../postgres/null-if-busy.ts';
import { overdueDays, dropDay, earliestKept } from './days/log-days.ts';
import { withoutLongReaders } from './days/long-readers.ts';

/** The attempts per day, with a pause: each may delay others for a moment. */
const TRIES = 3;
const PAUSE_MS = 300;

/** Drops days. Locks out long readers for a day that they keep in use. */
export function postgresLogUpkeep({ pool }: Pick<Database, 'pool'>): LogUpkeep {
  return {
    dropOverdue: async (retentionDays) => {
      const dropped: Date[] = [];
      for (const day of await overdueDays(pool, retentionDays)) {
        const drop = () => dropWithTries(pool, day, retentionDays);
        const isDropped =
          (await nullIfBusy(drop)) ?? (await nullIfBusy(() => withoutLongReaders(pool, drop)));
        if (isDropped === null) break;
        if (isDropped) dropped.push(day);
      }
      return dropped;
    },

    earliestKept: () => earliestKept(pool),

    overdue: (retentionDays) => overdueDays(pool, retentionDays),
  };
}

async function dropWithTries(pool: pg.Pool, day: Date, retentionDays: number): Promise<boolean> {
  for (let attempt = 1; attempt < TRIES; attempt++) {
    const isDropped = await nullIfBusy(() => dropDay(pool, day, retentionDays));
    if (isDropped !== null) return isDropped;
    await sleep(PAUSE_MS);
  }
  return dropDay(pool, day, retentionDays);
}
