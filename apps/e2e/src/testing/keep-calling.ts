import { loadOf } from '../../../../tools/property-runs.ts';

/** Long enough that a request queued behind the callers would wait for more than a second. */
const DURATION_MS = loadOf(1_200);

/** Calls repeatedly and concurrently, with the number of the call. Counts the responses by status. */
export async function keepCalling(
  callers: number,
  call: (n: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const end = performance.now() + DURATION_MS;
  let n = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      const status = await call(n++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, loop));
  return statuses;
}
