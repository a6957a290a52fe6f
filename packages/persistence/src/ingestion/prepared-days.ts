import { startOfDay } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { prepareDays } from '../log/days/log-days.ts';
import { UnpreparedDays } from '../log/append-entries.ts';

/**
 * The days that this process has prepared. Entries of a day that has been dropped since are too old anyway, and an archived day
 * is detected when entries are appended. A failover clears the set, since it may lose partitions.
 */
export interface PreparedDays {
  /** @throws UnpreparedDays if one of the times is on another day */
  check(moments: Iterable<number>): void;
  prepare(days: readonly number[]): Promise<void>;
}

export function preparedDays({ pool, primary }: Pick<Database, 'pool' | 'primary'>): PreparedDays {
  const prepared = new Set<number>();
  primary.onLostCommits(() => prepared.clear());
  return {
    check(moments) {
      const unprepared = new Set<number>();
      for (const moment of moments) {
        const day = startOfDay(moment);
        if (!prepared.has(day)) unprepared.add(day);
      }
      if (unprepared.size > 0) throw new UnpreparedDays([...unprepared]);
    },
    async prepare(days) {
      await prepareDays(
        pool,
        days.map((day) => new Date(day)),
      );
      for (const day of days) prepared.add(day);
    },
  };
}
