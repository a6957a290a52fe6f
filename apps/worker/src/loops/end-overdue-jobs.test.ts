import { aFamily, aJob, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/worker.fixture.ts';

test('a job that nobody takes fails, and so does the one behind it', async ({
  bed: { ports, rows },
  worker: _worker,
}) => {
  const record = await aRecord(ports, await aFamily(ports));
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  const work = { payload: null, operation: null };
  for (const id of ids) {
    await ports.jobs.queue(aJob(record, { id, work, plugin: 7, type: 'replay', timeoutSeconds: 60 }), null);
  }
  for (const id of ids) {
    await rows(`update job set open_at = now() - interval '2 days' where id = $1`, [id]);
    await expect
      .poll(() => ports.jobs.find(record, id), { timeout: 30_000 })
      .toMatchObject({ state: 'failed', error: 'No runtime took the job.' });
  }
});
