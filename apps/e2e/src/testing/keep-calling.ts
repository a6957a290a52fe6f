import { loadOf } from '../../../../tools/property-runs.ts';

/** Long enough that whoever waits behind the callers waits for more than a second. */
const GOING_MS = loadOf(1_200);

/** Calls concurrently, again and again, with the number of the call. Counts the answers by status. */
export async function keepCalling(
  callers: number,
  call: (n: number) => Promise<number>,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const end = performance.now() + GOING_MS;
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
