import type { ConfigRecord } from './config-record.ts';
import type { ConfigRecordStore } from './config-record-store.ts';
import type { FamilyRef } from '../project/family.ts';
import type { Placed } from './ordering.ts';

/** What is in memory at a time, of however many records. */
export const PORTION_MAX_BYTES = 512 * 1024;
const PORTION_MAX_RECORDS = 1000;

/** Reads records portion by portion, in the order and at the positions given. One deleted meanwhile is left out. */
export async function* readPlaced(
  { records }: { readonly records: Pick<ConfigRecordStore, 'portion'> },
  family: FamilyRef,
  places: readonly Placed[],
): AsyncGenerator<readonly ConfigRecord[], void, undefined> {
  for (let at = 0; at < places.length;) {
    const next = places.slice(at, at + PORTION_MAX_RECORDS);
    const ids = next.map(({ id }) => id);
    const found = await records.portion(family, ids, PORTION_MAX_BYTES);
    yield found.flatMap((record, i) => placed(record, next[i]));
    at += found.length;
  }
}

function placed(record: ConfigRecord | null, place: Placed | undefined): readonly ConfigRecord[] {
  if (record === null || record.deleted || place === undefined) return [];
  return [{ ...record, order: place.order }];
}
