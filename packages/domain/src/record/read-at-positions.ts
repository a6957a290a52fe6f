import type { ConfigRecord } from './config-record.ts';
import type { ConfigRecordStore } from './config-record-store.ts';
import type { FamilyRef } from '../project/family.ts';
import type { RecordPosition } from './ordering.ts';

/** The maximum size of the records in memory at a time, in bytes. */
export const CHUNK_MAX_BYTES = 512 * 1024;
const CHUNK_MAX_RECORDS = 1000;

/** Reads the records at these positions in chunks, in order. Skips records that have been deleted since. */
export async function* readAtPositions(
  { records }: { readonly records: Pick<ConfigRecordStore, 'chunk'> },
  family: FamilyRef,
  positions: readonly RecordPosition[],
): AsyncGenerator<readonly ConfigRecord[], void, undefined> {
  for (let at = 0; at < positions.length;) {
    const next = positions.slice(at, at + CHUNK_MAX_RECORDS);
    const ids = next.map(({ id }) => id);
    const found = await records.chunk(family, ids, CHUNK_MAX_BYTES);
    yield found.flatMap((record, i) => atPosition(record, next[i]));
    at += found.length;
  }
}

function atPosition(
  record: ConfigRecord | null,
  position: RecordPosition | undefined,
): readonly ConfigRecord[] {
  if (record === null || record.deleted || position === undefined) return [];
  return [{ ...record, order: position.order }];
}
