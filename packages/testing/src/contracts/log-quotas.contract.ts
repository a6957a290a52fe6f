import {
  DAY_MS,
  ingest,
  NO_QUOTA,
  retryDeadLetters,
  ReturnedEntry,
  startOfDay,
  type LogQuota,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor } from '../builders/an-author.ts';
import { aDelivery, anEntry, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import { seededRandomness } from '../builders/seeded-randomness.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY } from './log-of.ts';
import { WHOLE } from './read-state.ts';

const entriesPerDay = (most: number): LogQuota => ({ ...NO_QUOTA, entriesPerDay: most });
const bytesPerDay = (most: number): LogQuota => ({ ...NO_QUOTA, bytesPerDay: most });

async function usageOf({ usage }: LogPorts, { projectId }: { readonly projectId: number }) {
  const days = await usage.since(projectId, new Date(startOfDay(Date.now()) - DAY_MS));
  return days.map(({ entries, bytes, overQuota }) => [entries, bytes, overQuota]);
}

export function logQuotasContract(test: TestWith<LogPorts>): void {
  test('the usage of a project counts stored entries, but not duplicates and reports', async (ports) => {
    const family = await aFamily(ports);
    const [record, other] = [await aRecord(ports, family), await aRecord(ports, await aFamily(ports))];
    const entry = anEntry(record, { message: 'é🚀' });
    await ingest(ports, [entry, entry, anEntry(record), aDelivery(record), anErrorReport(record, 'e')]);
    await ingest(ports, [entry, anEntry(other, { message: '' })]);
    expect(await usageOf(ports, record)).toEqual([[2, 'é🚀Delivered'.length + 3, 0]]);
    expect(await usageOf(ports, other)).toEqual([[1, 0, 0]]);
  });

  test('entries over quota become dead letters, and reports are stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const other = await aRecord(ports, await aFamily(ports));
    await ports.projects.change(record.projectId, { logQuota: entriesPerDay(2) }, anAuthor());
    const first = anEntry(record);
    const outcomes = await ingest(ports, [
      first,
      anEntry(other),
      anEntry(record),
      anEntry(record),
      first,
      anErrorReport(record, 'e'),
      aDelivery(record),
      anEntry(other),
    ]);
    const [over, stored] = ['over_quota', 'stored'];
    expect(outcomes).toEqual([stored, stored, stored, over, 'duplicate', stored, stored, stored]);
    expect(await ingest(ports, [anEntry(record), first, anEntry(other)])).toEqual([
      over,
      'duplicate',
      stored,
    ]);
    expect(await usageOf(ports, record)).toEqual([[2, 18, 2]]);
    expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(2);
    const letters = await ports.deadLetters.list({ after: 0, limit: 10 });
    expect(letters.map(({ reason, owner }) => [reason, owner])).toEqual(
      [1, 2].map(() => ['over_quota', `project ${record.projectId}`]),
    );
  });

  test('the quota in the settings applies to projects without their own', async (ports) => {
    const [record, own] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    await ports.projects.change(own.projectId, { logQuota: entriesPerDay(2) }, anAuthor());
    const limited = { ...ports, logQuota: { entriesPerDay: 1, bytesPerDay: 100 } };
    const messages = [anEntry(record), anEntry(record), anEntry(own), anEntry(own), anEntry(own)];
    const [over, stored] = ['over_quota', 'stored'];
    expect(await ingest(limited, messages)).toEqual([stored, over, stored, stored, over]);
    expect(await ingest(limited, [anEntry(own, { message: 'x'.repeat(101) })])).toEqual([over]);
  });

  test('each entry is stored if it still fits', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.projects.change(record.projectId, { logQuota: bytesPerDay(10) }, anAuthor());
    const [large, small, exact] = ['too large…', 'small', 'exact'].map((message) =>
      anEntry(record, { message }),
    );
    const messages = [large, small, large, exact, small].flatMap((entry) => entry ?? []);
    const [over, stored] = ['over_quota', 'stored'];
    expect(await ingest(ports, messages)).toEqual([over, stored, over, stored, 'duplicate']);
    expect(await ingest(ports, [anEntry(record, { message: '' })])).toEqual(['stored']);
    expect(await usageOf(ports, record)).toEqual([[3, 10, 2]]);
  });

  test('an entry over quota is returned to a source that requests it, and counted once', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { projectId } = record;
    await ports.projects.change(projectId, { logQuota: entriesPerDay(1) }, anAuthor());
    const origin = anOrigin({ overQuota: 'return' });
    const [first, second] = [anEntry(record, { origin }), anEntry(record, { origin })];
    const returned = new ReturnedEntry(projectId, { entries: 1, bytes: 9 }, entriesPerDay(1));
    expect(await ingest(ports, [first, second])).toEqual(['stored', returned]);
    expect(await ports.deadLetters.count()).toBe(0);
    expect(await ingest(ports, [{ ...second, origin: anOrigin({ overQuota: 'keep' }) }])).toEqual([
      'over_quota',
    ]);
    expect(await ports.deadLetters.count()).toBe(1);
    expect(await usageOf(ports, record)).toEqual([[1, 9, 1]]);
  });

  test('a dead letter over quota is stored by a retry once there is room', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.projects.change(record.projectId, { logQuota: entriesPerDay(1) }, anAuthor());
    const late = { plugin_config_id: record.id, timestamp: new Date(), message: 'late' };
    await ingest(ports, [anEntry(record), anEntry(record, { text: JSON.stringify(late) })]);
    const clock = { now: () => new Date() };
    const retrying = {
      ...ports,
      clock,
      randomness: seededRandomness(5),
      instanceId: seededRandomness(6).uuid(),
      retentionDays: 7,
    };
    expect([...(await retryDeadLetters(retrying, 'all')).values()]).toEqual(['over_quota']);
    await ports.projects.change(record.projectId, { logQuota: entriesPerDay(2) }, anAuthor());
    expect([...(await retryDeadLetters(retrying, 'all')).values()]).toEqual(['stored']);
    expect(await usageOf(ports, record)).toEqual([[2, 13, 1]]);
  });

  test('concurrent batches store exactly the quota', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 4 }, () => aRecord(ports, family)));
    await ports.projects.change(family.projectId, { logQuota: entriesPerDay(150) }, anAuthor());
    const batches = Array.from({ length: 8 }, (_, b) =>
      Array.from({ length: 40 }, (_entry, i) => anEntry(records[(b + i) % 4] ?? { id: 0 })),
    );
    const overlapping = batches.map((batch, b) => [...batch, ...(batches[(b + 1) % 8] ?? []).slice(0, 20)]);
    const outcomes = (await Promise.all(overlapping.map((batch) => ingest(ports, batch)))).flat();
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(150);
    const counts = await Promise.all(records.map((record) => ports.logs.page(record, EVERY, WHOLE)));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(150);
    expect(await usageOf(ports, family)).toEqual([[150, 1350, expect.any(Number)]]);
  });

  test('old days of the usage are deleted', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record)]);
    expect(await Array.fromAsync(ports.retention.daysOfUsage(30 * DAY_MS))).toEqual([]);
    expect(await Array.fromAsync(ports.retention.daysOfUsage(-DAY_MS))).toEqual([1]);
    expect(await usageOf(ports, record)).toEqual([]);
  });
}
