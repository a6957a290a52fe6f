import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until it holds. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It does not hold within ${withinMs} ms.`);
    await sleep(20);
  }
}
