import type { WireErrorBody } from '@plugin-config/contract';
import type { LogQuota } from '@plugin-config/domain';
import { metricOf } from '@plugin-config/server/testing';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { push, type TestBed } from '../../testing/test-bed.ts';
import { anEntry, ndjson } from '../../testing/entries.ts';
import { test } from '../../testing/worker.fixture.ts';

const NO_ENTRY = 'No entry of this push was stored.';

/** Creates a record in a new project with this quota. */
async function limitedRecord({ ports }: TestBed, logQuota: Partial<LogQuota>) {
  const record = await aRecord(ports, await aFamily(ports));
  const quota = { entriesPerDay: null, bytesPerDay: null, ...logQuota };
  await ports.projects.change(record.projectId, { logQuota: quota }, anAuthor());
  return record;
}

async function usageOf({ ports }: TestBed, { projectId }: { readonly projectId: number }) {
  const [today] = await ports.usage.since(projectId, new Date(Date.now() - 86_400_000));
  return [today?.entries, today?.overQuota];
}

const deadLettersOf = async ({ rows }: TestBed, { projectId }: { readonly projectId: number }) =>
  (await rows('select from dead_letter where owner = $1', [`project ${projectId}`])).length;

test('rejects a push whose entries are all over quota until there is room, and stores none of them', async ({
  bed,
  worker,
}) => {
  const record = await limitedRecord(bed, { entriesPerDay: 1200 });
  const many = (count: number) => ndjson(Array.from({ length: count }, () => anEntry(record.id)));
  const first = many(1200);
  expect((await push(worker.url, first, bed)).body).toEqual({ stored: 1200, duplicates: 0, dead: 0 });
  const second = many(1100);
  const rejected = await push<WireErrorBody>(worker.url, second, bed);
  expect([rejected.status, rejected.body.code]).toEqual([429, 'throttled']);
  expect(rejected.body.detail).toContain(NO_ENTRY);
  expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  expect([await deadLettersOf(bed, record), await usageOf(bed, record)]).toEqual([0, [1200, 1100]]);
  expect((await push(worker.url, first, bed)).body).toEqual({ stored: 0, duplicates: 1200, dead: 0 });

  const logQuota = { entriesPerDay: 2300, bytesPerDay: null };
  await bed.ports.projects.change(record.projectId, { logQuota }, anAuthor());
  expect((await push(worker.url, second, bed)).body).toEqual({ stored: 1100, duplicates: 0, dead: 0 });
});

test('if a part of a push is stored, its entries over quota become dead letters', async ({ bed, worker }) => {
  const record = await limitedRecord(bed, { entriesPerDay: 700 });
  const entries = Array.from({ length: 1600 }, () => anEntry(record.id));
  const beside = Array.from({ length: 600 }, () => anEntry(bed.record.id));
  const before = await bed.rows('select from log_entry where record_id = $1', [bed.record.id]);
  const { status, body } = await push(worker.url, `\n\n${ndjson([...entries, ...beside])}`, bed);
  expect([status, body]).toMatchObject([200, { stored: 1300, duplicates: 0, dead: 900 }]);
  expect(await bed.rows('select from log_entry where record_id = $1', [record.id])).toHaveLength(700);
  expect(await bed.rows('select from log_entry where record_id = $1', [bed.record.id])).toHaveLength(
    before.length + 600,
  );
  const kept = await bed.rows<{ id: string }>('select entry_id as id from dead_letter where owner = $1', [
    `project ${record.projectId}`,
  ]);
  const stored = await bed.rows<{ id: string }>('select id from log_entry where record_id = $1', [record.id]);
  const all = new Set([...kept, ...stored].map(({ id }) => id));
  expect(all).toEqual(new Set(entries.map(({ id }) => id)));
  expect(await usageOf(bed, record)).toEqual([700, 900]);
});

test('a push that exceeds the quota of a whole day is too large', async ({ bed, worker }) => {
  const record = await limitedRecord(bed, { entriesPerDay: 2, bytesPerDay: 10 });
  const large = ndjson([anEntry(record.id, { message: 'x'.repeat(11) })]);
  const rejected = await push<WireErrorBody>(worker.url, large, bed);
  expect([rejected.status, rejected.body.code]).toEqual([413, 'payload_too_large']);
  await push(worker.url, ndjson([anEntry(record.id), anEntry(record.id)]), bed);
  const many = ndjson([1, 2, 3].map(() => anEntry(record.id, { message: '' })));
  expect((await push<WireErrorBody>(worker.url, many, bed)).status).toBe(413);
  expect((await push<WireErrorBody>(worker.url, ndjson([anEntry(record.id)]), bed)).status).toBe(429);
  expect(await deadLettersOf(bed, record)).toBe(0);
});

test('the quota in the settings applies to every project', async ({ bed }) => {
  using worker = await bed.serve({ LOG_QUOTA_ENTRIES_PER_DAY: '1' });
  const record = await aRecord(bed.ports, await aFamily(bed.ports));
  await push(worker.url, ndjson([anEntry(record.id)]), bed);
  expect((await push<WireErrorBody>(worker.url, ndjson([anEntry(record.id)]), bed)).status).toBe(429);
  expect(await metricOf(worker.url, 'log_entries_total{outcome="returned",reason=""}')).toBe(1);
  await worker.stop();
});
