import type { RecordOverview } from '@plugin-config/client';
import { rangeOf, slotsOf, SPANS, type Slot } from '../deliveries/slots.ts';
import { recordKey, recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';

/** Most of it doesn't change records, so the stream doesn't send it. */
const REFRESH_MS = 15_000;

const DAY = SPANS['24h'];

export interface ShownOverview extends RecordOverview {
  /** The deliveries of the last 24 hours. */
  readonly slots: readonly Slot[];
}

/** What happens to a record. */
export function useRecordOverview(at: RecordRef) {
  return useRead(
    [...recordKey(at), 'overview'],
    async (options): Promise<ShownOverview> => {
      const overview = await recordsOf(at).overview(at.id, options);
      return { ...overview, slots: slotsOf(overview.deliveries, DAY, rangeOf(DAY, Date.now()).from) };
    },
    { refetchInterval: REFRESH_MS },
  );
}
