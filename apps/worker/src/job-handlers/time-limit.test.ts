import type { JobWork } from '@plugin-config/domain';
import { aFamily, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { IDLE_HANDLERS } from '../testing/idle-handlers.ts';
import { queued, taskOf } from '../testing/jobs.ts';
import { test } from '../testing/worker.fixture.ts';

test('handlers that never return lose their slots, and their attempts fail with a clear error', async ({
  bed,
}) => {
  using worker = await bed.serve({ JOB_TIMEOUT_MS: '300' }, IDLE_HANDLERS);
  const queuedOfOther = async (work: JobWork) => queued(bed, await aRecord(bed.ports, bed.family), work);
  const stuck = await queuedOfOther(taskOf('never'));
  for (let i = 0; i < 7; i++) await queuedOfOther(taskOf('never'));
  const changed = await queuedOfOther({ kind: 'change', change: { name: 'changed' } });
  await expect.poll(async () => (await changed())?.state).toBe('succeeded');
  await expect
    .poll(stuck)
    .toMatchObject({ error: 'The handler did not finish within 0.3 s.', state: 'queued' });
  const metrics = async (): Promise<string> => (await fetch(`${worker.url}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^job_handlers_abandoned ([89]|1\d)$/m);
});

test(
  'too many handlers that never return fail the readiness check, but jobs without a handler still run',
  { tags: ['long'] },
  async ({ bed }) => {
    using worker = await bed.serve({ JOB_TIMEOUT_MS: '100' }, IDLE_HANDLERS);
    const families = [await aFamily(bed.ports), await aFamily(bed.ports)] as const;
    for (const family of families) {
      for (let i = 0; i < 14; i++) await queued(bed, await aRecord(bed.ports, family), taskOf('never'));
    }
    const readiness = async (): Promise<string> => (await fetch(`${worker.url}/readyz`)).text();
    await expect.poll(readiness).toContain('job handlers ignore their time limit and still run.');
    const record = await aRecord(bed.ports, families[0]);
    const change = await queued(bed, record, { kind: 'change', change: { name: 'changed' } });
    await expect.poll(async () => (await change())?.state).toBe('succeeded');
  },
);
