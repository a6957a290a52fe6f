import {
  ARRIVALS_MAX,
  FRESH_MS,
  type LogArrivals,
  type LogArrivalWriter,
  type LogRef,
  type Retention,
} from '@plugin-config/domain';
import { MEMORY_LINEAGE } from './memory-lineage.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';

export function memoryLogArrivals(db: MemoryDatabase, logs: MemoryLogs): LogArrivals {
  const { follows } = logs;
  const isOwn = ({ projectId, id }: LogRef): boolean =>
    db.state.records.get(id)?.record.projectId === projectId;
  return {
    follow: (asked) =>
      logs.alone(() =>
        asked.map((log) => {
          if (!isOwn(log)) return null;
          const follow = follows.byRecord.get(log.id) ?? {
            epoch: ++follows.lastEpoch,
            number: 0,
            seenAt: 0,
            arrivals: [],
          };
          follow.seenAt = Date.now();
          follows.byRecord.set(log.id, follow);
          return { lineage: MEMORY_LINEAGE, epoch: follow.epoch, number: follow.number };
        }),
      ),

    after: async (log, { lineage, epoch, number: after }) => {
      if (lineage !== MEMORY_LINEAGE || !isOwn(log)) return null;
      const follow = follows.byRecord.get(log.id);
      if (follow?.epoch !== epoch || after > follow.number) return null;
      const later = follow.arrivals.filter(({ number }) => number > after);
      if (later.length < follow.number - after) return null;
      return later.slice(0, ARRIVALS_MAX).map(({ at, ...arrival }) => ({
        ...arrival,
        isExpected: Date.now() - at < FRESH_MS && arrival.timestamp.getTime() >= logs.earliestKept,
      }));
    },
  };
}

export function memoryArrivalWriter({ follows }: Pick<MemoryLogs, 'follows'>): LogArrivalWriter {
  return {
    add: async (entries, outcomes) => {
      const notified = new Set<number>();
      for (const [at, { recordId, timestamp, id }] of entries.entries()) {
        const follow = follows.byRecord.get(recordId);
        if (follow === undefined || outcomes[at] !== 'stored') continue;
        follow.arrivals.push({ number: ++follow.number, timestamp, id, at: Date.now() });
        notified.add(recordId);
      }
      follows.listeners.wake(notified);
    },
  };
}

export function memoryLogRetention({
  follows,
}: Pick<MemoryLogs, 'follows'>): Pick<Retention, 'arrivals' | 'followedLogs'> {
  return {
    async *arrivals(ageMs) {
      let dropped = 0;
      for (const { arrivals } of follows.byRecord.values()) {
        const young = arrivals.findIndex(({ at }) => Date.now() - at < ageMs);
        dropped += arrivals.splice(0, young === -1 ? arrivals.length : young).length;
      }
      if (dropped > 0) yield dropped;
    },
    async *followedLogs(ageMs) {
      const unseen = [...follows.byRecord].filter(([, { seenAt }]) => Date.now() - seenAt >= ageMs);
      for (const [id] of unseen) follows.byRecord.delete(id);
      follows.listeners.wake(unseen.map(([id]) => id));
      if (unseen.length > 0) yield unseen.length;
    },
  };
}
