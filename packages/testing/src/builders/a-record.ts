import type { ConfigRecord, FamilyRef, RecordDraft } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor } from './an-author.ts';

/** Creates a record in the family. */
export function aRecord(
  { records }: Pick<Ports, 'records'>,
  family: FamilyRef,
  given: Partial<RecordDraft> = {},
): Promise<ConfigRecord> {
  return records.create(family, aRecordDraft(given), { author: anAuthor(), requireRegistered: false });
}

export function aRecordDraft(given: Partial<RecordDraft> = {}): RecordDraft {
  return { plugin: 7, enabled: false, order: null, name: null, description: null, deleted: false, ...given };
}
