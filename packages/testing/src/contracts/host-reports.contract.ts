import {
  EVERY_PROJECT,
  RUNTIME_KEPT_MS,
  RUNTIMES_MAX,
  updateRecord,
  type FamilyRef,
  type HostReport,
  type RuntimeInstance,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aHostReport } from '../builders/a-host-report.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const EVERYTHING = { limit: 1000, offset: 0 };
const ALL = { accountId: 1, projectIds: [], pluginIds: [] };

async function hostsOf({ runtimes }: Ports, family: FamilyRef): Promise<readonly RuntimeInstance[]> {
  return (await runtimes.page(family, EVERYTHING)).items;
}

const namesOf = async (ports: Ports, family: FamilyRef) =>
  (await hostsOf(ports, family)).map(({ instance }) => instance);

export function hostReportsContract(test: TestWith<Ports>): void {
  test('a host is listed by the projects of its key and its shard', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    const [first] = families;
    const other = await aFamily(ports, 'pipeline_transformation_configs');
    const projectIds = [first?.projectId ?? 0, other.projectId];
    await ports.runtimes.reportHost(aHostReport({ instance: 'all' }));
    await ports.runtimes.reportHost(aHostReport({ instance: 'one', key: { ...ALL, projectIds } }));
    for (const index of [0, 1])
      await ports.runtimes.reportHost(aHostReport({ instance: `shard ${index}`, shard: { index, of: 2 } }));
    for (const family of families) {
      const ofKey = family === first ? ['one'] : [];
      expect(await namesOf(ports, family)).toEqual(['all', ...ofKey, `shard ${family.projectId % 2}`]);
    }
    expect(await namesOf(ports, other)).toEqual([]);
  });

  test('the last report of a host counts, and hosts of other accounts and plugins are others', async (ports) => {
    const family = await aFamily(ports);
    const report = { ...aHostReport().report, labels: { region: 'eu' } };
    await ports.runtimes.reportHost(aHostReport());
    await ports.runtimes.reportHost(aHostReport({ report, at: secondsLater(60) }));
    const shown = { labels: report.labels, firstSeenAt: MOMENT, lastSeenAt: secondsLater(60), version: null };
    expect(await hostsOf(ports, family)).toMatchObject([shown]);
    await ports.runtimes.reportHost(aHostReport({ key: { ...ALL, accountId: 2 } }));
    await ports.runtimes.reportHost(aHostReport({ key: { ...ALL, pluginIds: [7] } }));
    expect(await namesOf(ports, family)).toHaveLength(3);
  });

  test('each project sees only the failures of its own records, and only those that the key can read', async (ports) => {
    const [one, two, foreign] = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    const failedIn = async (family: FamilyRef, plugin = 7) => {
      const { id } = await aRecord(ports, family, { plugin, enabled: true });
      return { projectId: family.projectId, id, error: `failed ${id}` };
    };
    const own = await failedIn(one);
    const failed = [
      own,
      await failedIn(one, 8),
      await failedIn(foreign),
      { ...own, projectId: two.projectId },
    ];
    const key = { ...ALL, projectIds: [one.projectId, two.projectId], pluginIds: [7] };
    const report: HostReport['report'] = { ...aHostReport().report, status: 'failed', failed };
    await ports.runtimes.reportHost(aHostReport({ key, report }));
    const { projectId: _, ...shown } = own;
    expect(await hostsOf(ports, one)).toMatchObject([{ status: 'failed', failed: [shown] }]);
    expect(await hostsOf(ports, two)).toMatchObject([{ status: 'applied', failed: [] }]);
    await ports.runtimes.reportHost(aHostReport({ key, report: { ...report, failed: failed.slice(1) } }));
    expect(await hostsOf(ports, one)).toMatchObject([{ status: 'applied', error: null, failed: [] }]);
  });

  test('a host has the last change of a project if its position shows it, also a registration', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const record = await aRecord(ports, family, { plugin: 8, enabled: true });
    const report = async () => {
      const query = { family: family.family, filter: EVERY_PROJECT, after: 0, limit: 10 };
      const { at: since } = await ports.feed.all(query);
      // The position must be later than the last recovery, and reports before it do not count.
      await ports.runtimes.reportHost(aHostReport({ since, at: new Date() }));
    };
    const current = async () =>
      [...(await hostsOf(ports, family)), ...(await hostsOf(ports, other))].map((host) => host.hasReadAll);
    await ports.runtimes.reportHost(aHostReport({ at: new Date() }));
    expect(await current()).toEqual([false, false]);
    await report();
    expect(await current()).toEqual([true, true]);
    const change = { name: 'Renamed' };
    const dependencies = { ...ports, requireRegistered: false };
    await updateRecord(dependencies, { record, precondition: null, change, author: anAuthor() });
    expect(await current()).toEqual([false, true]);
    await report();
    await ports.plugins.register(aPlugin({ id: 8, name: 'New' }), new Map(), anAuthor());
    expect(await current()).toEqual([false, true]);
    await report();
    expect(await current()).toEqual([true, true]);
  });

  test('the number of hosts of an account is limited, but known ones can still report', async (ports) => {
    const family = await aFamily(ports);
    const report = (instance: string, given: Partial<HostReport> = {}) =>
      ports.runtimes.reportHost(aHostReport({ instance, ...given }));
    for (let n = 0; n < RUNTIMES_MAX; n++) await report(`host-${n}`);
    await expect(report('one-more')).rejects.toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('account'),
    });
    await report('host-0', { at: secondsLater(60) });
    await report('one-more', { key: { ...ALL, accountId: 2 } });
    await report('one-more', { family: 'pipeline_transformation_configs' });
    expect((await ports.runtimes.page(family, { limit: 1, offset: 0 })).count).toBe(RUNTIMES_MAX + 1);
  });

  test('hosts that have not reported for a while are deleted', async (ports) => {
    const family = await aFamily(ports);
    const [old, recent] = [RUNTIME_KEPT_MS + 60_000, RUNTIME_KEPT_MS - 60_000];
    for (const [instance, ago] of Object.entries({ old, recent }))
      await ports.runtimes.reportHost(aHostReport({ instance, at: new Date(Date.now() - ago) }));
    expect(await Array.fromAsync(ports.retention.runtimes(RUNTIME_KEPT_MS))).toEqual([1]);
    expect(await namesOf(ports, family)).toEqual(['recent']);
  });
}
