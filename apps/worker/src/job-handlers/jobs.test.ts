import type { ConfigRecord, JobWork } from '@plugin-config/domain';
import { aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import type { TestBed } from '../testing/test-bed.ts';
import { queued } from '../testing/jobs.ts';
import { test } from '../testing/worker.fixture.ts';

/** Queues a job, and returns a function that reads its state. */
async function queuedState(
  bed: TestBed,
  record: ConfigRecord,
  work: JobWork,
): Promise<() => Promise<string | undefined>> {
  const job = await queued(bed, record, work);
  return async () => (await job())?.state;
}

const NO_FILTER = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

async function logOf(bed: TestBed, record: ConfigRecord): Promise<readonly object[]> {
  const { items } = await bed.ports.logs.page(record, NO_FILTER, { limit: 100, offset: 0 });
  return items.map(({ source, type, message }) => ({ source, type, message }));
}

test('a job updates its record', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, bed.family);
  const state = await queuedState(bed, record, {
    kind: 'change',
    change: { name: 'changed', enabled: true },
  });
  await expect.poll(state).toBe('succeeded');
  expect((await bed.ports.records.find(record)).value).toMatchObject({ name: 'changed', enabled: true });
});

test('"say" writes a line to the log of its record', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, bed.family);
  const task = { type: 'say', payload: { message: 'Hello', type: 'WARN' }, operation: null };
  await expect.poll(await queuedState(bed, record, { kind: 'task', task })).toBe('succeeded');
  await expect
    .poll(() => logOf(bed, record))
    .toEqual(expect.arrayContaining([{ source: 'SYSTEM', type: 'WARN', message: 'Hello' }]));
});

test('does not retry a task that its handler rejects', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, bed.family);
  const task = { type: 'say', payload: null, operation: null };
  await expect.poll(await queuedState(bed, record, { kind: 'task', task })).toBe('failed');
  const line = { source: 'SYSTEM', type: 'ERROR', message: 'Job failed: The payload needs a message.' };
  await expect.poll(() => logOf(bed, record)).toEqual(expect.arrayContaining([line]));
});

test('delivers a log line that a killed worker left in the outbox', async ({ bed, worker: _worker }) => {
  const record = await aRecord(bed.ports, bed.family);
  await bed.rows(
    `insert into log_outbox (id, project_id, record_id, timestamp, plugin, source, type, message, instance_id, due_at)
    values (gen_random_uuid(), $1, $2, now(), $3, 'SYSTEM', 'INFO', 'Left', gen_random_uuid(), now())`,
    [record.projectId, record.id, record.plugin],
  );
  const line = { source: 'SYSTEM', type: 'INFO', message: 'Left' };
  await expect.poll(() => logOf(bed, record)).toEqual([line]);
  await expect.poll(() => bed.rows('select from log_outbox')).toEqual([]);
});
