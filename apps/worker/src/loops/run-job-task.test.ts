import { aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { queueChange } from '../testing/jobs.ts';
import { test } from '../testing/worker.fixture.ts';

test('a job updates its record', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, bed.family);
  const { jobId: id } = await queueChange(bed, record, { name: 'changed', enabled: true });
  await expect.poll(async () => (await bed.ports.jobs.find(record, id))?.state).toBe('succeeded');
  expect((await bed.ports.records.find(record)).value).toMatchObject({ name: 'changed', enabled: true });
});
