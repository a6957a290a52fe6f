import type { RecentDeliveries } from '@plugin-config/client';
import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recordsOf } from '../live/use-family.ts';
import type { FamilyRef } from '../shell/addresses.ts';
import { useRead } from '../ui/queries.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

export type RecordDeliveries = RecentDeliveries['results'][number];

/** Delivery reports don't change records, so the stream doesn't send them. */
const REFRESH_MS = 60_000;

/** The deliveries of the last 24 hours by record id, for at most 100 records. Records without deliveries are absent. */
export function useRecentDeliveries(
  at: FamilyRef,
  ids: readonly number[],
): ReadonlyMap<number, RecordDeliveries> {
  // Sorted, since moving records doesn't change their deliveries.
  const wanted = ids.toSorted((a, b) => a - b).join();
  // They change with each letter of a search.
  const settled = useDebounced(wanted);
  const { data } = useRead(
    ['recent deliveries', at.projectId, at.family, settled],
    async (options) => recordsOf(at).recentDeliveries({ record: settled.split(',').map(Number) }, options),
    {
      enabled: at.family === 'plugin_configs' && settled !== '',
      staleTime: REFRESH_MS,
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    },
  );
  return useMemo(() => new Map(data?.results.map((one) => [one.record, one])), [data]);
}
