import {
  FAMILIES,
  ONLINE_MS,
  REPORT_REST_MS,
  RUNTIME_KEPT_MS,
  RUNTIMES_MAX,
  type FamilyRef,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aHostReport } from '../builders/a-host-report.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const EVERYTHING = { limit: 1000, offset: 0 };
const AT = secondsLater(0);
/** The shard of a runtime that serves all its projects. */
const WHOLE = { index: 0, of: 1 };
/** A runtime that is no host, and whose key is not limited. */
const RUNTIME = { pluginIds: [], hasReadAll: false };

export function runtimeStoreContract(test: TestWith<Ports>): void {
  test('the last report of each runtime of a family is listed by name, in pages', async (ports) => {
    for (const family of FAMILIES) {
      const [ref, other] = [await aFamily(ports, family), await aFamily(ports, family)];
      const record = await aRecord(ports, ref);
      expect(await ports.runtimes.page(ref, EVERYTHING)).toEqual({ count: 0, items: [] });
      const failed = [{ id: record.id, error: 'timed out' }];
      const plugins = { geoip: { version: '2.3.1', schemas: [3, 4] } };
      const labels = { region: 'eu' };
      const report = aRuntimeReport({ status: 'failed', error: 'é "\\', failed, labels, plugins });
      await ports.runtimes.report({ family: ref, instance: 'b', report: aRuntimeReport(), at: AT });
      await ports.runtimes.report({ family: ref, instance: 'b', report, at: secondsLater(60) });
      await ports.runtimes.report({ family: ref, instance: 'a', report: aRuntimeReport(), at: AT });
      await ports.runtimes.report({ family: other, instance: 'c', report: aRuntimeReport(), at: AT });
      const a = { ...RUNTIME, instance: 'a', ...aRuntimeReport(), firstSeenAt: AT, lastSeenAt: AT };
      const b = { ...RUNTIME, instance: 'b', ...report, firstSeenAt: AT, lastSeenAt: secondsLater(60) };
      expect(await ports.runtimes.page(ref, EVERYTHING)).toEqual({ count: 2, items: [a, b] });
      expect(await ports.runtimes.page(ref, { limit: 1, offset: 1 })).toEqual({ count: 2, items: [b] });
      expect(await ports.runtimes.page(ref, { limit: 1, offset: 2 })).toEqual({ count: 2, items: [] });
    }
  });

  test('the runtimes of all projects are listed, or those of families that run a plugin', async (ports) => {
    const [one, two, gone] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    await aRecord(ports, one, { plugin: 8, enabled: true });
    await aRecord(ports, two, { plugin: 8 });
    for (const family of [two, one, gone])
      await ports.runtimes.report({ family, instance: 'a', report: aRuntimeReport(), at: AT });
    await ports.erasures.start(gone.projectId, 'Project', anAuthor());
    const runtimeOf = ({ projectId: id, family }: FamilyRef) => ({
      ...RUNTIME,
      instance: 'a',
      ...aRuntimeReport(),
      hasReadAll: false,
      family,
      project: { id, externalId: null, name: 'Project' },
      firstSeenAt: AT,
      lastSeenAt: AT,
    });
    const items = [runtimeOf(one), runtimeOf(two)];
    expect(await ports.runtimes.pageOfAll(null, EVERYTHING)).toEqual({ count: 2, items });
    const second = { count: 2, items: items.slice(1) };
    expect(await ports.runtimes.pageOfAll(null, { limit: 1, offset: 1 })).toEqual(second);
    expect(await ports.runtimes.pageOfAll(8, EVERYTHING)).toEqual({ count: 1, items: items.slice(0, 1) });
    expect(await ports.runtimes.pageOfAll(9, EVERYTHING)).toEqual({ count: 0, items: [] });
    await ports.runtimes.reportHost(aHostReport());
    const { count, items: all } = await ports.runtimes.pageOfAll(null, EVERYTHING);
    expect([count, all.slice(1)]).toEqual([3, items]);
    expect(all[0]).toMatchObject({ instance: 'host', version: null, project: null, family: one.family });
    expect((await ports.runtimes.pageOfAll(8, EVERYTHING)).count).toBe(2);
    expect((await ports.runtimes.pageOfAll(9, EVERYTHING)).count).toBe(0);
  });

  test('the online runtimes that name a plugin are listed with the schemas that they understand', async (ports) => {
    await ports.plugins.register(aPlugin({ id: 8, slug: 'geoip' }), new Map(), anAuthor());
    const [one, two, other] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    const naming = (...names: readonly string[]) => ({
      plugins: Object.fromEntries(names.map((name) => [name, { version: '2.3.1', schemas: [3, 4] }])),
    });
    const report = (family: FamilyRef, instance: string, named: ReturnType<typeof naming> | object) =>
      ports.runtimes.report({ family, instance, report: aRuntimeReport(named), at: AT });
    await report(one, 'id', naming('8', '9'));
    await report(two, 'slug', naming('geoip'));
    await report(two, 'none', naming('9'));
    await report(two, 'unknown', {});
    await report(other, 'other', naming('geoip'));
    const limited = { family: one, report: aRuntimeReport(naming('8')), at: AT };
    await ports.runtimes.report({ ...limited, instance: 'limited', pluginIds: [8] });
    await ports.runtimes.report({ ...limited, instance: 'of others', pluginIds: [9] });
    const hostReport = { ...aHostReport().report, ...naming('8') };
    const shard = { index: two.projectId % 3, of: 3 };
    await ports.runtimes.reportHost(aHostReport({ instance: 'sharded', shard, report: hostReport }));
    const key = { accountId: 1, projectIds: [other.projectId], pluginIds: [] };
    await ports.runtimes.reportHost(aHostReport({ instance: 'host of others', key, report: hostReport }));
    const found = await ports.runtimes.ofPlugin(8, [one, two], new Date(AT.getTime() + ONLINE_MS));
    expect(found.toSorted((a, b) => (a.instance < b.instance ? -1 : 1))).toEqual(
      [
        { instance: 'id', projectIds: [one.projectId], shard: WHOLE },
        { instance: 'limited', projectIds: [one.projectId], shard: WHOLE },
        { instance: 'sharded', projectIds: [], shard },
        { instance: 'slug', projectIds: [two.projectId], shard: WHOLE },
      ].map((each) => ({ ...each, family: one.family, schemas: [3, 4] })),
    );
    const later = new Date(AT.getTime() + ONLINE_MS + 1);
    expect(await ports.runtimes.ofPlugin(8, [one, two], later)).toEqual([]);
  });

  test('failed records that the family does not have are dropped', async (ports) => {
    const [ref, other] = [await aFamily(ports), await aFamily(ports)];
    const [own, foreign] = [await aRecord(ports, ref), await aRecord(ports, other)];
    const failedOf = (id: number) => ({ id, error: 'rejected' });
    const failed = [failedOf(foreign.id), failedOf(own.id), failedOf(Number.MAX_SAFE_INTEGER)];
    for (const at of [AT, secondsLater(60)]) {
      await ports.runtimes.report({ family: ref, instance: 'a', report: aRuntimeReport({ failed }), at });
      const { items } = await ports.runtimes.page(ref, EVERYTHING);
      expect(items).toMatchObject([{ failed: [failedOf(own.id)] }]);
    }
  });

  test('a report whose failed records are all dropped does not look like a failure of all records', async (ports) => {
    const ref = await aFamily(ports);
    const failed = [{ id: Number.MAX_SAFE_INTEGER, error: 'rejected' }];
    for (const [sent, stored] of [
      [failed, { status: 'applied', error: null }],
      [[], { status: 'failed', error: 'one failed' }],
    ] as const) {
      const report = aRuntimeReport({ status: 'failed', error: 'one failed', failed: sent });
      await ports.runtimes.report({ family: ref, instance: 'a', report, at: AT });
      const { items } = await ports.runtimes.page(ref, EVERYTHING);
      expect(items).toMatchObject([{ ...stored, failed: [] }]);
    }
  });

  test('an unchanged report is stored again only after a while, a different one at once', async (ports) => {
    const ref = await aFamily(ports);
    const seenAfter = async (ms: number, version: string) => {
      const at = new Date(AT.getTime() + ms);
      await ports.runtimes.report({ family: ref, instance: 'a', report: aRuntimeReport({ version }), at });
      const { items } = await ports.runtimes.page(ref, EVERYTHING);
      return items.map(({ lastSeenAt }) => lastSeenAt.getTime() - AT.getTime());
    };
    expect(await seenAfter(0, '1')).toEqual([0]);
    expect(await seenAfter(REPORT_REST_MS - 1, '1')).toEqual([0]);
    expect(await seenAfter(REPORT_REST_MS, '1')).toEqual([REPORT_REST_MS]);
    expect(await seenAfter(REPORT_REST_MS + 1, '2')).toEqual([REPORT_REST_MS + 1]);
  });

  test('concurrent reports are all stored, one row per runtime', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports)];
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        ports.runtimes.report({
          family: families[n % 2] as FamilyRef,
          instance: `runtime-${n % 50}`,
          report: aRuntimeReport({ version: String(n) }),
          at: AT,
        }),
      ),
    );
    for (const [n, family] of families.entries()) {
      const { count, items } = await ports.runtimes.page(family, EVERYTHING);
      expect(count).toBe(25);
      for (const { instance, version } of items)
        expect([Number(version) % 2, `runtime-${Number(version) % 50}`]).toEqual([n, instance]);
    }
  });

  test('the number of runtimes of a family is limited, but known ones can still report', async (ports) => {
    const [ref, other] = [await aFamily(ports), await aFamily(ports)];
    const report = (family: FamilyRef, instance: string, version = '1') =>
      ports.runtimes.report({ family, instance, report: aRuntimeReport({ version }), at: AT });
    const all = Array.from({ length: RUNTIMES_MAX + 5 }, (_, n) => report(ref, `runtime-${n}`));
    const outcomes = await Promise.allSettled(all);
    const rejected = outcomes.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(5);
    expect(rejected[0]).toMatchObject({ reason: { code: 'throttled' } });
    const { count, items } = await ports.runtimes.page(ref, EVERYTHING);
    expect(count).toBe(RUNTIMES_MAX);
    await report(ref, items[0]?.instance ?? '', '2');
    await report(other, 'one-more');
    await expect(report(ref, 'one-more')).rejects.toMatchObject({ code: 'throttled' });
    expect(await ports.runtimes.forget(ref, items[1]?.instance ?? '')).toBe(true);
    await report(ref, 'one-more');
  });

  test('a runtime can be deleted, and its next report adds it again', async (ports) => {
    const [ref, other] = [await aFamily(ports), await aFamily(ports)];
    const report = { family: ref, instance: 'a', report: aRuntimeReport(), at: AT };
    await ports.runtimes.report(report);
    expect(await ports.runtimes.forget(other, 'a')).toBe(false);
    expect(await ports.runtimes.forget(ref, 'A')).toBe(false);
    expect(await ports.runtimes.forget(ref, 'a')).toBe(true);
    expect(await ports.runtimes.forget(ref, 'a')).toBe(false);
    expect(await ports.runtimes.page(ref, EVERYTHING)).toEqual({ count: 0, items: [] });
    await ports.runtimes.report(report);
    expect((await ports.runtimes.page(ref, EVERYTHING)).count).toBe(1);
  });

  test('large reports end a page early', async (ports) => {
    const ref = await aFamily(ports);
    const error = 'é'.repeat(1_000_000);
    for (const instance of ['a', 'b', 'c'])
      await ports.runtimes.report({ family: ref, instance, report: aRuntimeReport({ error }), at: AT });
    const { count, items } = await ports.runtimes.page(ref, EVERYTHING);
    expect([count, items.length]).toEqual([3, 2]);
  });

  test('those that could not apply a record are found behind large reports of others', async (ports) => {
    const ref = await aFamily(ports);
    const [record, other] = [await aRecord(ports, ref), await aRecord(ports, ref)];
    const report = (instance: string, ids: readonly number[], error = '') => {
      const failed = ids.map((id) => ({ id, error: 'rejected' }));
      return ports.runtimes.report({
        family: ref,
        instance,
        report: aRuntimeReport({ error, failed }),
        at: AT,
      });
    };
    for (const instance of ['a', 'b', 'c']) await report(instance, [other.id], 'é'.repeat(1_000_000));
    for (const instance of ['d', 'e']) await report(instance, [other.id, record.id]);
    const [host, { projectId, family }] = [aHostReport(), ref];
    const failed = [{ projectId, id: record.id, error: 'rejected' }];
    await ports.runtimes.reportHost({ ...host, family, report: { ...host.report, failed } });
    const found = await ports.runtimes.page(ref, EVERYTHING, record.id);
    expect([found.count, found.items.map(({ instance }) => instance)]).toEqual([3, ['d', 'e', 'host']]);
    const second = await ports.runtimes.page(ref, { limit: 1, offset: 1 }, record.id);
    expect([second.count, second.items]).toEqual([3, found.items.slice(1, 2)]);
    expect(await ports.runtimes.page(ref, EVERYTHING, 0)).toEqual({ count: 0, items: [] });
  });

  test('runtimes that have not reported for a while are deleted', async (ports) => {
    const ref = await aFamily(ports);
    const now = Date.now();
    const seen = [now - RUNTIME_KEPT_MS - 60_000, now - RUNTIME_KEPT_MS + 60_000];
    for (const [n, ms] of seen.entries())
      await ports.runtimes.report({
        family: ref,
        instance: `runtime-${n}`,
        report: aRuntimeReport(),
        at: new Date(ms),
      });
    expect(await Array.fromAsync(ports.retention.runtimes(RUNTIME_KEPT_MS))).toEqual([1]);
    const { items } = await ports.runtimes.page(ref, EVERYTHING);
    expect(items.map(({ instance }) => instance)).toEqual(['runtime-1']);
  });
}
