import {
  BUCKET_MS,
  DAY_MS,
  startOfDay,
  type Clock,
  type DeliveryBucket,
  type DeliveryMessage,
  type DeliverySeries,
  type Retention,
} from '@plugin-config/domain';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';
import { storedRecord } from './stored-records.ts';

export function memoryDeliverySeries(db: MemoryDatabase, logs: MemoryLogs): DeliverySeries {
  return {
    read: async (record, { granularity, from, to }) => {
      if (storedRecord(db.state, record) === null) return [];
      const reports = granularity === 'minute' ? logs.countedByMinute : logs.counted;
      const own = [...reports].filter(
        ({ recordId, timestamp }) => recordId === record.id && timestamp >= from && timestamp < to,
      );
      const width = BUCKET_MS[granularity];
      const byStart = Map.groupBy(own, ({ timestamp }) => Math.floor(timestamp / width) * width);
      return [...byStart]
        .map(([start, inBucket]) => bucketOf(start, inBucket))
        .toSorted((a, b) => a.start.getTime() - b.start.getTime());
    },
  };
}

function bucketOf(start: number, reports: readonly DeliveryMessage[]): DeliveryBucket {
  const sum = (field: 'successes' | 'successesOnRetry' | 'failures'): number =>
    reports.reduce((total, report) => total + report[field], 0);
  return {
    start: new Date(start),
    successes: sum('successes'),
    successesOnRetry: sum('successesOnRetry'),
    failures: sum('failures'),
  };
}

export function memoryDeliveryRetention(
  logs: MemoryLogs,
  clock: Clock,
): Pick<Retention, 'deliveryMinutes' | 'deliveryDays'> {
  return {
    async *deliveryMinutes(ageMs) {
      const dropped = dropBefore(logs.countedByMinute, clock.now().getTime() - ageMs);
      if (dropped > 0) yield dropped;
    },
    async *deliveryDays(ageMs) {
      const earliest = Math.min(startOfDay(clock.now().getTime() - ageMs), logs.earliestKept);
      const days = new Set([...logs.counted].map(({ timestamp }) => startOfDay(timestamp)));
      for (const day of [...days].toSorted((a, b) => a - b)) {
        if (day >= earliest) return;
        dropBefore(logs.counted, day + DAY_MS);
        yield 1;
      }
    },
  };
}

function dropBefore(reports: Set<DeliveryMessage>, moment: number): number {
  const old = [...reports].filter(({ timestamp }) => timestamp < moment);
  for (const report of old) reports.delete(report);
  return old.length;
}
