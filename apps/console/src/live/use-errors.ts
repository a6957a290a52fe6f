import { useRead } from '../ui/queries.tsx';
import type { FamilyRef } from '../shell/addresses.ts';
import { errorsKey, recordsOf } from './use-family.ts';

/** Repeated reports of the same error don't change records, so the stream doesn't send them. */
const REFRESH_MS = 60_000;

/** The times of the last errors by record id. */
export function useErrorTimes(at: FamilyRef): ReadonlyMap<number, string> | undefined {
  return useRead(
    errorsKey(at),
    async (options) => {
      const errors = await Array.fromAsync(recordsOf(at).errors({ limit: 1000 }, options));
      return new Map(errors.map(({ record, reported_at: time }) => [record, time]));
    },
    { refetchInterval: REFRESH_MS, structuralSharing: false },
  ).data;
}
