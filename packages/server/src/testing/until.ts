import { setTimeout as sleep } from 'node:timers/promises';

/** Polls a condition until it holds. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 90_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`The condition did not hold within ${withinMs} ms: ${String(holds)}`);
    await sleep(20);
  }
}
