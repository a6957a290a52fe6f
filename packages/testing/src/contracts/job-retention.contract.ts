import { DAY_MS } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob } from './claim-job.ts';
import { droppedBy } from './dropped-by.ts';
import { finishedJob } from './finished-job.ts';
import { historyOf } from './read-state.ts';

export function jobRetentionContract(test: TestWith<Ports>): void {
  test('succeeded and failed jobs are deleted once they are old enough', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const old = [
      await finishedJob(ports, record, { id: uuid() }),
      await finishedJob(ports, record, { id: uuid(), state: 'failed' }),
    ];
    await ports.passTime(2 * DAY_MS);
    const young = await finishedJob(ports, record, { id: uuid() });
    await ports.passTime(DAY_MS);
    expect(await droppedBy(ports.retention.jobs(2 * DAY_MS))).toBe(2);
    expect(await droppedBy(ports.retention.jobs(2 * DAY_MS))).toBe(0);
    for (const id of old) expect(await ports.jobs.find(record, id)).toBeNull();
    expect(await ports.jobs.find(record, young)).not.toBeNull();
    expect(await historyOf(ports, record)).toHaveLength(7);
  });

  test('a waiting or running job is kept at any age', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const ids = [uuid(), uuid()];
    for (const id of ids) await ports.jobs.queue(aJob(record, { id }), null);
    await claimJob(ports);
    await ports.passTime(365 * DAY_MS);
    expect(await droppedBy(ports.retention.jobs(DAY_MS))).toBe(0);
    for (const id of ids) expect(await ports.jobs.find(record, id)).not.toBeNull();
  });
}
