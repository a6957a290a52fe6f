import { useQuery } from '@tanstack/react-query';
import type { FamilyRef, RecordRef } from '../shell/addresses.ts';
import { errorsKey, recordKey, recordsOf } from './use-family.ts';

/** Repeated reports of the same error don't change records, so the stream doesn't send them. */
const REFRESH_MS = 60_000;
const LIMIT = 1000;

/** The times of the last errors by record id. */
export function useErrorTimes(at: FamilyRef): ReadonlyMap<number, string> | undefined {
  const { data } = useQuery({
    queryKey: errorsKey(at),
    queryFn: async ({ signal }) => {
      const times = new Map<number, string>();
      for await (const { record, reported_at: time } of recordsOf(at).errors({ limit: LIMIT }, { signal }))
        times.set(record, time);
      return times;
    },
    refetchInterval: REFRESH_MS,
    structuralSharing: false,
  });
  return data;
}

/** The time of a record's last error; undefined while loading. */
export function useErrorTime(at: RecordRef): string | undefined {
  const { data } = useQuery({
    queryKey: [...recordKey(at), 'error'],
    queryFn: async ({ signal }) => recordsOf(at).errors({ record: at.id, limit: 1 }, { signal }).page(),
    refetchInterval: REFRESH_MS,
  });
  return data?.results[0]?.reported_at;
}
