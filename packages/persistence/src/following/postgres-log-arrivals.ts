import type { LogArrival, LogArrivals, LogPosition } from '@plugin-config/domain';
import { batching } from '../postgres/batching.ts';
import type { Database } from '../postgres/database.ts';
import { followLogs } from './follow-logs.ts';
import { readArrivals, type ArrivalsQuestion } from './read-arrivals.ts';

const WAIT_MAX_MS = 5_000;
const isTooLate = (_: unknown, waitedMs: number): boolean => waitedMs > WAIT_MAX_MS;

/** Shares statements among the logs that are followed or read at the same time. */
export function postgresLogArrivals({ pool }: Pick<Database, 'pool'>): LogArrivals {
  const follow = batching<number, LogPosition>({
    send: async (recordIds) => {
      const positions = await followLogs(pool, recordIds);
      return recordIds.map((id) => positions.get(id) ?? { epoch: 0, number: 0 });
    },
    maxItems: 1000,
    maxConcurrent: 4,
    tenantOf: (recordId) => recordId,
    isTooLate,
  });
  const read = batching<ArrivalsQuestion, readonly LogArrival[] | null>({
    send: (questions) => readArrivals(pool, questions),
    maxItems: 50,
    maxConcurrent: 2,
    tenantOf: ({ log }) => log.projectId,
    isTooLate,
  });
  return {
    follow: async (recordIds) =>
      new Map(await Promise.all(recordIds.map(async (id) => [id, await follow(id)] as const))),
    after: (log, position) => read({ log, position }),
  };
}
