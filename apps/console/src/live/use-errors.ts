import { useQuery } from '@tanstack/react-query';
import type { FamilyRef, RecordRef } from '../shell/addresses.ts';
import { errorsKey, recordKey, recordsOf } from './use-family.ts';

/** The same error may be reported again, which changes no record. */
const READ_AGAIN_MS = 60_000;
const LIMIT = 1000;

/** The times of the last errors, by the ids of their records. */
export function useErrorTimes(at: FamilyRef): ReadonlyMap<number, string> | undefined {
  const { data } = useQuery({
    queryKey: errorsKey(at),
    queryFn: async ({ signal }) => {
      const times = new Map<number, string>();
      for await (const { record, reported_at: time } of recordsOf(at).errors({ limit: LIMIT }, { signal }))
        times.set(record, time);
      return times;
    },
    refetchInterval: READ_AGAIN_MS,
    structuralSharing: false,
  });
  return data;
}

/** The time of the last error of a record; undefined while it is not known. */
export function useErrorTime(at: RecordRef): string | undefined {
  const { data } = useQuery({
    queryKey: [...recordKey(at), 'error'],
    queryFn: async ({ signal }) => recordsOf(at).errors({ record: at.id, limit: 1 }, { signal }).page(),
    refetchInterval: READ_AGAIN_MS,
  });
  return data?.results[0]?.reported_at;
}
