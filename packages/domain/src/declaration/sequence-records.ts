import { INTEGER_MAX } from '../record/config-record.ts';
import type { RecordPosition } from '../record/ordering.ts';

/** A record of a sequence. A new one has neither id nor position. */
export type Sequenced = Partial<RecordPosition>;

/**
 * The positions that put records into the sequence. They are spread over the places that they hold already, and records
 * beside them never move. A new record stands directly behind its predecessor: at the next position if that is free, else at
 * the same one, since new records get the highest ids. Only records without room go further.
 */
export function sequenceRecords(
  sequence: readonly Sequenced[],
  live: readonly RecordPosition[],
): readonly number[] {
  const taken = new Set(live.map(({ order }) => order));
  const held = sequence.flatMap(({ order }) => order ?? []).toSorted((a, b) => a - b);
  const leading = sequence.findIndex(({ order }) => order !== undefined);
  const [first] = held;
  let last =
    first === undefined
      ? live.reduce((highest, { order }) => Math.max(highest, order), 0)
      : Math.max(0, first - leading) - 1;
  let lastId = Infinity;
  let next = 0;
  const places = sequence.map(({ id, order }, index) => {
    const isNew = id === undefined || order === undefined;
    const free = last + 1;
    if (isNew) {
      const isFree = index === 0 || (!taken.has(free) && free < (held[next] ?? Infinity));
      last = isFree ? free : last;
    } else {
      last = Math.max(held[next++] ?? 0, id > lastId ? last : free);
    }
    lastId = id ?? Infinity;
    return last;
  });
  return withinBounds(sequence, places);
}

/** Moves the last records back if they are above the highest position. */
function withinBounds(sequence: readonly Sequenced[], places: readonly number[]): readonly number[] {
  if ((places.at(-1) ?? 0) <= INTEGER_MAX) return places;
  const bounded = [...places];
  let limit = INTEGER_MAX;
  for (let i = places.length - 1; i >= 0; i--) {
    bounded[i] = Math.min(bounded[i] ?? 0, limit);
    const isBehind = (sequence[i]?.id ?? Infinity) > (sequence[i - 1]?.id ?? Infinity);
    limit = (bounded[i] ?? 0) - (isBehind ? 0 : 1);
  }
  return bounded;
}
