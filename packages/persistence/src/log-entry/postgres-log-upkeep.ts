import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, type LogUpkeep } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { daysOver, dropDay } from './log-days.ts';
import { behindGate } from './log-gate.ts';

/** Each try may hold others up for a moment: they are few, and there is a pause between them. */
const TRIES = 3;
const PAUSE_MS = 300;

/** A day that long readers keep in use is dropped behind their gate. */
export function postgresLogUpkeep({ pool }: Pick<Database, 'pool'>): LogUpkeep {
  return {
    dropOver: async (retentionDays) => {
      const dropped: Date[] = [];
      for (const day of await daysOver(pool, retentionDays)) {
        const drop = () => dropWithTries(pool, day, retentionDays);
        const became = (await unlessInUse(drop)) ?? (await unlessInUse(() => behindGate(pool, drop)));
        if (became === null) break;
        if (became) dropped.push(day);
      }
      return dropped;
    },

    overdue: (retentionDays) => daysOver(pool, retentionDays),
  };
}

async function dropWithTries(pool: pg.Pool, day: Date, retentionDays: number): Promise<boolean> {
  for (let attempt = 1; attempt < TRIES; attempt++) {
    const became = await unlessInUse(() => dropDay(pool, day, retentionDays));
    if (became !== null) return became;
    await sleep(PAUSE_MS);
  }
  return dropDay(pool, day, retentionDays);
}

/** Null where the day is in use. */
async function unlessInUse<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'busy') return null;
    throw error;
  }
}
