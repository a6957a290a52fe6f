import type { ConfigRecord } from '@plugin-config/client';
import { recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { configurationWith, ENTRY, recordChangeOf, type Changes } from './changes.ts';

/** Writes changes unless the record has changed. */
export async function writeChanges(
  at: RecordRef,
  record: ConfigRecord,
  changes: Changes,
): Promise<ConfigRecord> {
  const condition = { ifMatch: record };
  return [...changes.keys()].some((field) => field.startsWith(ENTRY))
    ? recordsOf(at).setConfiguration(at.id, configurationWith(record, changes), condition)
    : recordsOf(at).update(at.id, recordChangeOf(changes), condition);
}
