import { DomainError, type LogUpkeep } from '@plugin-config/domain';
import type { Database } from '../database.ts';
import { daysBefore, dropDay, prepareDays } from './log-days.ts';

/** Everybody else queues up behind whoever waits for a table, so no wait is long. */
const PATIENCE_MS = 250;

export function postgresLogUpkeep({ pool }: Pick<Database, 'pool'>): LogUpkeep {
  return {
    prepare: (days) => prepareDays(pool, days),

    dropBefore: async (day) => {
      const dropped: Date[] = [];
      for (const old of await daysBefore(pool, day)) {
        try {
          await dropDay(pool, old, PATIENCE_MS);
          dropped.push(old);
        } catch (error) {
          if (isInUse(error)) break;
          throw error;
        }
      }
      return dropped;
    },
  };
}

function isInUse(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'busy';
}
