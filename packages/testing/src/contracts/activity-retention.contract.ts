import { DAY_MS } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { finishedJob } from './finished-job.ts';
import { historyOf, countersOf } from './read-state.ts';

export function activityRetentionContract(test: TestWith<Ports>): void {
  test('only entries that are old enough are deleted', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    await finishedJob(ports, record, { id: uuid() });
    await ports.passTime(2 * DAY_MS);
    await finishedJob(ports, record, { id: uuid() });
    const [young] = await historyOf(ports, record);
    await ports.passTime(DAY_MS);
    const counters = await countersOf(ports, record);
    expect(await droppedBy(ports.retention.activity(2 * DAY_MS))).toBe(4);
    expect(await droppedBy(ports.retention.activity(2 * DAY_MS))).toBe(0);
    expect(await historyOf(ports, record)).toMatchObject([{ id: young?.id }]);
    expect(await countersOf(ports, record)).toEqual(counters);
  });
}
