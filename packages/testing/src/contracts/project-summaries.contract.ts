import { BUCKET_MS, deliveryWindow, FAMILIES, ingest, type RuntimeReport } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { aDelivery, anErrorReport } from '../builders/an-ingest-message.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { storeErrors } from './report-store.contract.ts';

export function projectSummariesContract(test: TestWith<LogPorts>): void {
  test('live records are counted by family: enabled, disabled and with an error', async (ports) => {
    const family = await aFamily(ports);
    const other = await aFamily(ports);
    const [failing] = [
      await aRecord(ports, family, { enabled: true }),
      await aRecord(ports, family, { enabled: true }),
      await aRecord(ports, family),
    ];
    const deleted = await aRecord(ports, family);
    await ports.records.save(aRecordWrite(deleted, { deleted: true }));
    await aRecord(ports, { ...family, family: 'pipeline_transformation_configs' });
    await storeErrors(ports, [anErrorReport(failing, 'rejected'), anErrorReport(deleted, 'gone')]);
    const found = await ports.summaries.families(family.projectId);
    expect(found.toSorted((a, b) => b.enabled - a.enabled)).toEqual([
      { family: 'plugin_configs', enabled: 2, disabled: 1, failing: 1, invalid: 0, outdated: 0 },
      {
        family: 'pipeline_transformation_configs',
        enabled: 0,
        disabled: 1,
        failing: 0,
        invalid: 0,
        outdated: 0,
      },
    ]);
    expect(await ports.summaries.families(other.projectId)).toEqual([]);
  });

  test('runtimes that have reported lately are counted by what they reported, and whether they are online', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const report = (instance: string, seconds: number, fields: Partial<RuntimeReport> = {}, of = family) =>
      ports.runtimes.report({
        family: of,
        instance,
        report: aRuntimeReport(fields),
        at: secondsLater(seconds),
      });
    await report('a', 10);
    await report('b', 10);
    await report('c', 10, { status: 'failed' });
    await report('silent', 9);
    await report('late', 4);
    await report('foreign', 10, {}, other);
    const found = await ports.summaries.runtimes(family.projectId, secondsLater(5), secondsLater(10));
    const one = { family: 'plugin_configs', version: '1', hasReadAll: false };
    expect(found.toSorted((a, b) => b.count - a.count || Number(b.isOnline) - Number(a.isOnline))).toEqual([
      { ...one, status: 'applied', isOnline: true, count: 2 },
      { ...one, status: 'failed', isOnline: true, count: 1 },
      { ...one, status: 'applied', isOnline: false, count: 1 },
    ]);
  });

  test('the newest changes are those of all records of both families, newest first', async (ports) => {
    const family = await aFamily(ports);
    const author = anAuthor({ actor: { keyId: 7, label: 'deploy script' } });
    const records = [];
    for (const name of FAMILIES) records.push(await aRecord(ports, { ...family, family: name }));
    const [first] = records;
    if (first === undefined) throw new Error('There are no families.');
    await aRecord(ports, await aFamily(ports));
    const fields = [{ field: 'enabled', before: false, after: true }];
    const enabled = aRecordWrite(
      first,
      { enabled: true },
      { activity: { ...author, activity: 'enabled', changes: fields } },
    );
    const saved = await ports.records.save(enabled);
    const deleted = { enabled: false, deleted: true };
    await ports.records.save(
      aRecordWrite(saved ?? first, deleted, { activity: { ...author, activity: 'deleted' } }),
    );
    const changes = await ports.summaries.changes(family.projectId, 3);
    expect(changes.map((one) => [one.recordId, one.activity, one.fields])).toEqual([
      [first.id, 'deleted', []],
      [first.id, 'enabled', ['enabled']],
      [records[1]?.id, 'created', ['plugin', 'enabled', 'order', 'deleted']],
    ]);
    const recordName = `Record ${first.id}`;
    expect(changes[0]).toMatchObject({ recordName, family: FAMILIES[0], actor: author.actor, at: author.at });
    expect(await ports.summaries.changes(family.projectId, 10)).toHaveLength(4);
  });

  test('the deliveries of all records of a project are added up within a window', async (ports) => {
    const family = await aFamily(ports);
    const now = new Date();
    const window = deliveryWindow(now);
    const [one, two] = [await aRecord(ports, family), await aRecord(ports, family)];
    const foreign = await aRecord(ports, await aFamily(ports));
    const inside = { timestamp: now.getTime() - BUCKET_MS.hour };
    await ingest(ports, [
      aDelivery(one, { ...inside, successes: 5, successesOnRetry: 2, failures: 1 }),
      aDelivery(two, { timestamp: window.first, successes: 1, successesOnRetry: 0, failures: 0 }),
      aDelivery(two, { timestamp: window.first - 1, successes: 100 }),
      aDelivery(foreign, { ...inside, successes: 100 }),
    ]);
    expect(await ports.summaries.deliveries(family.projectId, window)).toEqual({ successes: 8, failures: 1 });
    const later = { first: window.last + BUCKET_MS.day, last: window.last + 2 * BUCKET_MS.day };
    expect(await ports.summaries.deliveries(family.projectId, later)).toEqual({ successes: 0, failures: 0 });
  });
}
