import type { WakeUps } from '@plugin-config/domain';
import { expect } from 'vitest';
import type { TestWith } from '../test-with.ts';

export interface WakeUpPorts {
  readonly wakeUps: WakeUps;
  /** Announces changes as a transaction does that makes them. */
  announce(recordIds: readonly number[]): Promise<void>;
}

/** A listener that is known to hear announcements. */
async function listening({ wakeUps, announce }: WakeUpPorts, recordId: number) {
  let calls = 0;
  const end = wakeUps.listen(recordId, () => void (calls += 1));
  await expect.poll(async () => announce([recordId]).then(() => calls)).toBeGreaterThan(0);
  return { calls: () => calls, end };
}

export function wakeUpsContract(test: TestWith<WakeUpPorts>): void {
  test('an announcement wakes each listener of its id', async (ports) => {
    const listeners = [await listening(ports, 1), await listening(ports, 1)];
    const before = listeners.map(({ calls }) => calls());
    await ports.announce([1, 2]);
    for (const [at, { calls }] of listeners.entries()) {
      await expect.poll(calls).toBeGreaterThan(before[at] ?? 0);
    }
  });

  test('an announcement of very many ids wakes their listeners', async (ports) => {
    const listeners = [await listening(ports, 1), await listening(ports, 100_000)];
    const before = listeners.map(({ calls }) => calls());
    await ports.announce(Array.from({ length: 100_000 }, (_, i) => i + 1));
    for (const [at, { calls }] of listeners.entries()) {
      await expect.poll(calls).toBeGreaterThan(before[at] ?? 0);
    }
  });

  test('nobody is called after the end, and others still are', async (ports) => {
    const [gone, own] = [await listening(ports, 1), await listening(ports, 1)];
    gone.end();
    gone.end();
    const before = gone.calls();
    await settled(ports, own);
    expect(gone.calls()).toBe(before);
  });

  test('a listener hears announcements after a time without any listener', async (ports) => {
    (await listening(ports, 1)).end();
    await listening(ports, 1);
  });
}

/** Announces id 1 of the logs until its listener hears one, so that all earlier announcements were heard. */
async function settled({ announce }: WakeUpPorts, { calls }: { calls(): number }): Promise<void> {
  const before = calls();
  await expect.poll(async () => announce([1]).then(calls)).toBeGreaterThan(before);
}
