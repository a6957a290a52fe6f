import type { WakeUps } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { TestWith } from '../test-with.ts';

export interface WakeUpPorts {
  readonly wakeUps: WakeUps;
  /** Notifies listeners of changes, like a transaction that makes them. */
  notify(recordIds: readonly number[]): Promise<void>;
}

/** A listener that has received a notification before. */
async function listening({ wakeUps, notify }: WakeUpPorts, recordId: number) {
  let calls = 0;
  const end = wakeUps.listen(recordId, () => void (calls += 1));
  await expect.poll(async () => notify([recordId]).then(() => calls)).toBeGreaterThan(0);
  return { calls: () => calls, end };
}

export function wakeUpsContract(test: TestWith<WakeUpPorts>): void {
  test('a notification wakes each listener of its id', async (ports) => {
    const listeners = [await listening(ports, 1), await listening(ports, 1)];
    const before = listeners.map(({ calls }) => calls());
    await ports.notify([1, 2]);
    for (const [at, { calls }] of listeners.entries()) {
      await expect.poll(calls).toBeGreaterThan(before[at] ?? 0);
    }
  });

  test('a notification with very many ids wakes their listeners', async (ports) => {
    const listeners = [await listening(ports, 1), await listening(ports, 100_000)];
    const before = listeners.map(({ calls }) => calls());
    await ports.notify(Array.from({ length: 100_000 }, (_, i) => i + 1));
    for (const [at, { calls }] of listeners.entries()) {
      await expect.poll(calls).toBeGreaterThan(before[at] ?? 0);
    }
  });

  test('a listener is no longer called once it stops, while others still are', async (ports) => {
    const [gone, own] = [await listening(ports, 1), await listening(ports, 1)];
    gone.end();
    gone.end();
    const before = gone.calls();
    await settled(ports, own);
    expect(gone.calls()).toBe(before);
  });

  test('a listener gets notifications after a time without any listeners', async (ports) => {
    (await listening(ports, 1)).end();
    await listening(ports, 1);
  });
}

/** Notifies the listener of id 1 until it is called: then all earlier notifications have been delivered. */
async function settled({ notify }: WakeUpPorts, { calls }: { calls(): number }): Promise<void> {
  const before = calls();
  await expect.poll(async () => notify([1]).then(calls)).toBeGreaterThan(before);
}
