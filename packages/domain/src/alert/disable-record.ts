import { changeRecord, type ConfigRecord } from '../record/config-record.ts';
import type { RecordWrite } from '../record/config-record-store.ts';
import { updateWrite } from '../record/update-record.ts';
import { alertActor, type Alert } from './alert.ts';

/** Returns the write by which an alert disables a record; null if it is disabled already. */
export function disableRecord(alert: Alert, before: ConfigRecord, at: Date): RecordWrite | null {
  const after = changeRecord(before, { enabled: false });
  if (after === before) return null;
  return { before, ...updateWrite(before, after, { actor: alertActor(alert), requestId: null, at }) };
}
