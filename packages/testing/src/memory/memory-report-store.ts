import {
  isLaterError,
  type DeliveryMessage,
  type ErrorMessage,
  type ReportStore,
} from '@plugin-config/domain';
import { checkStorable } from './check-storable.ts';
import { raiseRevisions } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import type { MemoryLogs } from './memory-log-state.ts';
import type { MemoryState, StoredRecord } from './memory-state.ts';

export function memoryReportStore(db: MemoryDatabase, logs: MemoryLogs): ReportStore {
  return {
    store: ({ deliveries, errors }) =>
      db.change((state) => {
        for (const { error } of errors) checkStorable(error ?? '');
        for (const error of errors) keepLatest(logs, error);
        showErrors(logs, state);
        return deliveries.map((delivery) => countDelivery(logs, delivery));
      }),
  };
}

function countDelivery(
  { deliveries, counted, countedByMinute }: MemoryLogs,
  delivery: DeliveryMessage,
): 'stored' | 'duplicate' {
  const key = `${delivery.recordId} ${delivery.id}`;
  if (deliveries.has(key)) return 'duplicate';
  deliveries.set(key, delivery);
  counted.add(delivery);
  countedByMinute.add(delivery);
  return 'stored';
}

function keepLatest({ errors }: MemoryLogs, error: ErrorMessage): void {
  const latest = errors.get(error.recordId);
  if (latest === undefined || isLaterError(error, latest)) errors.set(error.recordId, error);
}

/** Shows the latest errors in their records, and raises the revision of each changed family once. */
function showErrors({ errors }: MemoryLogs, state: MemoryState): void {
  const records: StoredRecord['record'][] = [];
  for (const [id, { error }] of errors) {
    const stored = state.records.get(id);
    if (stored === undefined || stored.record.error === error) continue;
    state.records.set(id, { ...stored, record: { ...stored.record, error } });
    records.push(stored.record);
  }
  raiseRevisions(state, records);
}
