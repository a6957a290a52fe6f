import { startOfDay } from '@plugin-config/domain';
import type { Database } from '../postgres/database.ts';
import { forgetLostCommits } from '../postgres/forget-lost-commits.ts';
import { prepareDays } from '../log/days/log-days.ts';
import { UnpreparedDays } from '../log/days/unprepared-days.ts';

/**
 * The days that this process has prepared. If one was dropped since, its entries are too old anyway; one that was archived is found
 * out when entries are appended. A failover may have lost their partitions.
 */
export interface KnownDays {
  /** @throws UnpreparedDays if one of the times is on another day */
  check(moments: Iterable<number>): void;
  prepare(days: readonly number[]): Promise<void>;
}

export function knownDays({ pool, primary }: Pick<Database, 'pool' | 'primary'>): KnownDays {
  const known = new Set<number>();
  const forget = forgetLostCommits(primary, known);
  return {
    check(moments) {
      forget();
      const unprepared = new Set<number>();
      for (const moment of moments) {
        const day = startOfDay(moment);
        if (!known.has(day)) unprepared.add(day);
      }
      if (unprepared.size > 0) throw new UnpreparedDays([...unprepared]);
    },
    async prepare(days) {
      await prepareDays(
        pool,
        days.map((day) => new Date(day)),
      );
      for (const day of days) known.add(day);
    },
  };
}
