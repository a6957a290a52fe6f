import {
  deliveryRate,
  deliveryWindow,
  spanOf,
  type Deliveries,
  type DeliveryMessage,
  type DeliveryRates,
} from '@plugin-config/domain';
import { raiseRevisions } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';
import type { StoredRecord } from './memory-state.ts';

export function memoryDeliveryRates(db: MemoryDatabase, logs: MemoryLogs): DeliveryRates {
  return {
    refresh: (now) =>
      db.change((state) => {
        const { first, last } = deliveryWindow(now);
        const reports = [...logs.deliveries.values()].filter(
          ({ timestamp }) => spanOf(timestamp) >= first && spanOf(timestamp) <= last,
        );
        const records: StoredRecord['record'][] = [];
        let changed = 0;
        for (const [id, stored] of state.records) {
          const rate = deliveryRate(sumOf(reports.filter(({ recordId }) => recordId === id)));
          if (rate === stored.record.deliveryRate) continue;
          state.records.set(id, { ...stored, record: { ...stored.record, deliveryRate: rate } });
          records.push(stored.record);
          changed++;
        }
        raiseRevisions(state, records);
        return changed;
      }),
  };
}

function sumOf(reports: readonly DeliveryMessage[]): Deliveries {
  const sum = (field: keyof Deliveries): number =>
    reports.reduce((total, report) => total + report[field], 0);
  return {
    successes: sum('successes'),
    successesOnRetry: sum('successesOnRetry'),
    failures: sum('failures'),
  };
}
