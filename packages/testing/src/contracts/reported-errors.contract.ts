import { FAMILIES, PAGE_MAX_BYTES } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anAuthor } from '../builders/an-author.ts';
import { anErrorReport } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { storeErrors } from './report-store.contract.ts';

const EVERYTHING = { limit: 100, offset: 0 };
const NOON = Date.UTC(2026, 2, 1, 12);

export function reportedErrorsContract(test: TestWith<LogPorts>): void {
  test('the errors of a family are listed with their times, latest first, in pages', async (ports) => {
    for (const family of FAMILIES) {
      const ref = await aFamily(ports, family);
      const [first, second, third] = [
        await aRecord(ports, ref),
        await aRecord(ports, ref),
        await aRecord(ports, ref),
      ];
      expect(await ports.errors.page(ref, null, EVERYTHING)).toEqual({ count: 0, items: [] });
      await storeErrors(ports, [
        anErrorReport(first, 'timed out', { timestamp: NOON + 1 }),
        anErrorReport(second, 'rejected', { timestamp: NOON }),
        anErrorReport(third, 'rejected', { timestamp: NOON }),
      ]);
      const items = [
        { recordId: first.id, error: 'timed out', at: new Date(NOON + 1) },
        { recordId: third.id, error: 'rejected', at: new Date(NOON) },
        { recordId: second.id, error: 'rejected', at: new Date(NOON) },
      ];
      expect(await ports.errors.page(ref, null, EVERYTHING)).toEqual({ count: 3, items });
      const middle = { count: 3, items: items.slice(1, 2) };
      expect(await ports.errors.page(ref, null, { limit: 1, offset: 1 })).toEqual(middle);
      expect(await ports.errors.page(ref, null, { limit: 1, offset: 3 })).toEqual({ count: 3, items: [] });
      const one = { count: 1, items: items.slice(2) };
      expect(await ports.errors.page(ref, second.id, EVERYTHING)).toEqual(one);
    }
  });

  test('an error that is reported again has a new time, and a cleared one is gone', async (ports) => {
    const ref = await aFamily(ports);
    const record = await aRecord(ports, ref);
    await storeErrors(ports, [anErrorReport(record, 'rejected', { timestamp: NOON })]);
    await storeErrors(ports, [anErrorReport(record, 'rejected', { timestamp: NOON + 5 })]);
    const { items } = await ports.errors.page(ref, null, EVERYTHING);
    expect(items).toEqual([{ recordId: record.id, error: 'rejected', at: new Date(NOON + 5) }]);
    await storeErrors(ports, [anErrorReport(record, null, { timestamp: NOON + 6 })]);
    expect(await ports.errors.page(ref, null, EVERYTHING)).toEqual({ count: 0, items: [] });
  });

  test('deleted records, and those of other families and projects, are left out', async (ports) => {
    const [ref, other] = [await aFamily(ports), await aFamily(ports)];
    const [deleted, foreign] = [await aRecord(ports, ref), await aRecord(ports, other)];
    await storeErrors(ports, [anErrorReport(deleted, 'gone'), anErrorReport(foreign, 'foreign')]);
    const { value: shown } = await ports.records.find(deleted);
    await ports.records.save(aRecordWrite(shown ?? deleted, { deleted: true }));
    expect(await ports.errors.page(ref, null, EVERYTHING)).toEqual({ count: 0, items: [] });
    expect(await ports.errors.page(ref, foreign.id, EVERYTHING)).toEqual({ count: 0, items: [] });
    expect((await ports.errors.page(other, null, EVERYTHING)).count).toBe(1);
  });

  test('the errors of all projects are listed with what they are about, in pages that errors do not shift', async (ports) => {
    await ports.plugins.register({ id: 8, name: 'GeoIP' }, new Map(), anAuthor());
    const { id: projectId } = await ports.projects.create({ name: 'Acme', externalId: 'acme' }, anAuthor());
    const [acme, other] = [
      { projectId, family: 'plugin_configs' as const },
      await aFamily(ports, FAMILIES[1]),
    ];
    const [unnamed, named, deleted, gone] = [
      await aRecord(ports, acme, { plugin: 8 }),
      await aRecord(ports, other, { plugin: 9, name: 'Shop' }),
      await aRecord(ports, acme, { plugin: 8 }),
      await aRecord(ports, await aFamily(ports), { plugin: 8 }),
    ];
    await storeErrors(ports, [
      anErrorReport(unnamed, 'timed out', { timestamp: NOON }),
      anErrorReport(named, 'rejected', { timestamp: NOON }),
      anErrorReport(deleted, 'gone', { timestamp: NOON }),
      anErrorReport(gone, 'gone', { timestamp: NOON }),
    ]);
    const { value: shown } = await ports.records.find(deleted);
    await ports.records.save(aRecordWrite(shown ?? deleted, { deleted: true }));
    await ports.erasures.start(gone.projectId, 'Project', anAuthor());
    const first = { recordId: named.id, at: new Date(NOON) };
    const items = [
      {
        ...first,
        error: 'rejected',
        family: other.family,
        project: { id: other.projectId, externalId: null, name: 'Project' },
        record: { id: named.id, name: 'Shop' },
        plugin: { id: 9, slug: null, name: null },
      },
      {
        recordId: unnamed.id,
        at: new Date(NOON),
        error: 'timed out',
        family: acme.family,
        project: { id: projectId, externalId: 'acme', name: 'Acme' },
        record: { id: unnamed.id, name: `GeoIP ${unnamed.id}` },
        plugin: { id: 8, slug: null, name: 'GeoIP' },
      },
    ];
    const all = { limit: 10, after: null, plugin: null };
    expect(await ports.errors.pageOfAll(all)).toEqual({ count: 2, items, hasMore: false });
    const ofPlugin = { count: 1, items: items.slice(1), hasMore: false };
    expect(await ports.errors.pageOfAll({ ...all, plugin: 8 })).toEqual(ofPlugin);
    expect((await ports.errors.pageOfAll({ ...all, plugin: 7 })).count).toBe(0);
    const page = { count: 2, items: items.slice(0, 1), hasMore: true };
    expect(await ports.errors.pageOfAll({ ...all, limit: 1 })).toEqual(page);
    await storeErrors(ports, [anErrorReport(named, 'again', { timestamp: NOON + 1 })]);
    const next = { count: 2, items: items.slice(1), hasMore: false };
    expect(await ports.errors.pageOfAll({ ...all, limit: 1, after: first })).toEqual(next);
  });

  test('large errors end a page early', async (ports) => {
    const ref = await aFamily(ports);
    const large = 'é'.repeat(PAGE_MAX_BYTES / 8);
    const records = [
      await aRecord(ports, ref),
      await aRecord(ports, ref),
      await aRecord(ports, ref),
      await aRecord(ports, ref),
      await aRecord(ports, ref),
    ];
    await storeErrors(
      ports,
      records.map((record) => anErrorReport(record, large)),
    );
    const { count, items } = await ports.errors.page(ref, null, EVERYTHING);
    expect([count, items.length]).toEqual([5, 4]);
    const ofAll = await ports.errors.pageOfAll({ limit: 4, after: null, plugin: null });
    expect([ofAll.count, ofAll.items.length, ofAll.hasMore]).toEqual([5, 4, true]);
  });
}
