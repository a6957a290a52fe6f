import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { rangeOf, slotsOf, SPANS, type SpanName } from './slots.ts';

/** Delivery reports don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** The deliveries of a record over a span that ends now. */
export function useDeliveries(at: RecordRef, name: SpanName) {
  const span = SPANS[name];
  return useRead(
    [...recordKey(at), 'deliveries', name],
    async (options) => {
      const range = rangeOf(span, Date.now());
      const { granularity } = span;
      const results = await recordsOf(at).deliveries(at.id, { ...range, granularity }, options);
      return slotsOf(results, span, range.from);
    },
    { refetchInterval: REFRESH_MS },
  );
}
