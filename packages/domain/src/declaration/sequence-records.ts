import { DomainError } from '../kernel/domain-error.ts';
import type { RecordPosition } from '../record/ordering.ts';
import { INTEGER_MAX } from '../vocabulary/vocabulary.ts';

/** A record in a sequence. A new one has neither id nor position. */
export type Sequenced = Partial<RecordPosition>;

/**
 * Returns positions that put the records into this sequence. Existing records share the positions they already
 * occupy, and other records never move. A new record goes right after its predecessor: to the next position, or to the
 * same one if the next is taken, since new records have the highest ids. Two new records never share a position, since either may
 * get the higher id. Records move further only if there is no room.
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
  const positions = sequence.map(({ id, order }) => {
    const isNew = id === undefined || order === undefined;
    const free = last + 1;
    if (isNew) {
      const isFree = lastId === Infinity || (!taken.has(free) && free < (held[next] ?? Infinity));
      last = isFree ? free : last;
    } else {
      last = Math.max(held[next++] ?? 0, id > lastId ? last : free);
    }
    lastId = id ?? Infinity;
    return last;
  });
  if (last <= INTEGER_MAX) return positions;
  const message = `The records would need positions after the last one, ${INTEGER_MAX}.`;
  throw new DomainError('max_value', message, { attr: 'document' });
}
