import type { ConfigRecord, FamilyRef, RecordDraft } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor } from './an-author.ts';

/** Creates a record in the family. */
export function aRecord(
  { records }: Pick<Ports, 'records'>,
  family: FamilyRef,
  given: Partial<RecordDraft> = {},
): Promise<ConfigRecord> {
  const options = { author: anAuthor(), requireRegistered: false };
  return mustStore(records.create(family, aRecordDraft(given), options));
}

/** Rejects if the write was outdated. */
export async function mustStore<T>(write: Promise<T | null>): Promise<T> {
  const stored = await write;
  if (stored === null) throw new Error('The write was outdated.');
  return stored;
}

export function aRecordDraft(given: Partial<RecordDraft> = {}): RecordDraft {
  return { plugin: 7, enabled: false, order: null, name: null, description: null, deleted: false, ...given };
}
