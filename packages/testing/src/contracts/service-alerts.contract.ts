import {
  ALERTS_MAX,
  changeRule,
  eraseProject,
  ingest,
  ONLINE_MS,
  pinRecord,
  registerVersion,
  SERVICE,
  type AlertRule,
  type ConfigRecord,
  type FamilyRef,
  type Incident,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlert } from '../builders/an-alert.ts';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import { aWebhook } from '../builders/a-webhook.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { aDelivery, anErrorReport } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { evaluateAt } from './evaluate-at.ts';
import { historyOf, WHOLE } from './read-state.ts';

const minute = (number: number): Date => secondsLater(60 * number);

const OF_ALL = { projectId: SERVICE, family: 'plugin_configs' } as const;

/** Alerts on all projects. They differ from alerts of a project only in the choice of records. */
export function serviceAlertsContract(test: TestWith<LogPorts>): void {
  test('an alert on all projects is stored like one of a project, but belongs to none', async (ports) => {
    const family = await aFamily(ports);
    const alert = await anAlert(ports, OF_ALL, { name: 'Errors', plugin: 8 });
    await anAlert(ports, family, { name: 'Errors' });
    await expect(anAlert(ports, OF_ALL, { name: 'Errors' })).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await ports.alerts.page(SERVICE, 8, WHOLE)).toEqual({ count: 1, items: [alert] });
    expect(await ports.alerts.page(SERVICE, 7, WHOLE)).toEqual({ count: 0, items: [] });
    expect(await ports.alerts.find(family.projectId, alert.id)).toBeNull();
    const { id: recordId } = await aRecord(ports, family);
    const missing = { code: 'does_not_exist', attr: 'record' };
    await expect(anAlert(ports, OF_ALL, { recordId })).rejects.toMatchObject(missing);
    expect(await change(ports, alert.id, { plugin: null })).toMatchObject({ plugin: null, version: 2 });
    for (let n = 1; n < ALERTS_MAX.service; n++) await anAlert(ports, OF_ALL);
    await expect(anAlert(ports, OF_ALL)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await ports.alerts.delete(SERVICE, alert.id, [2], anAuthor())).toBe(true);
    const { items } = await ports.audit.page({ limit: 1, offset: 0 });
    expect(items[0]?.subject).toEqual({ type: 'alert', id: alert.id, name: 'Errors' });
  });

  test('it watches the records of each project, also of later ones, or those of a plugin', async (ports) => {
    const { webhook } = await aWebhook(ports, SERVICE, { events: ['incident.opened', 'incident.closed'] });
    const all = await anAlert(ports, OF_ALL);
    const ofPlugin = await anAlert(ports, OF_ALL, { plugin: 8 });
    const families = [await aFamily(ports), await aFamily(ports)] as const;
    const records = [
      await anEnabled(ports, families[0], 8),
      await anEnabled(ports, families[1], 8),
      await anEnabled(ports, families[1], 9),
      await aRecord(ports, families[1], { plugin: 8 }),
      await anEnabled(ports, await aFamily(ports, 'pipeline_transformation_configs'), 8),
    ];
    await report(ports, records, 'timed out', MOMENT);
    await evaluateAt(ports, minute(0));
    const [first, second, third] = records.map(({ id }) => id);
    const opened = [
      [all.id, first],
      [all.id, second],
      [all.id, third],
      [ofPlugin.id, first],
      [ofPlugin.id, second],
    ];
    expect(await watched(ports)).toEqual(opened);
    const own = await ports.incidents.page(families[0].projectId, NO_FILTER, WHOLE);
    expect(own.items.map(({ project, alertProjectId }) => [project?.id, alertProjectId])).toEqual([
      [families[0].projectId, null],
      [families[0].projectId, null],
    ]);
    const sent = await ports.dispatches.page(SERVICE, webhook.id, WHOLE);
    const projects = sent.items.map(
      ({ payload }) => (JSON.parse(payload) as { data: { project: { id: number } } }).data.project.id,
    );
    expect(new Set(projects)).toEqual(new Set(families.map(({ projectId }) => projectId)));
    await report(ports, records, null, minute(1));
    await evaluateAt(ports, minute(1));
    expect(await watched(ports)).toEqual([]);
    expect((await ports.dispatches.page(SERVICE, webhook.id, WHOLE)).count).toBe(2 * opened.length);
  });

  test('its incidents end with its plugin, its rule, and the project', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports), await aFamily(ports)] as const;
    const records = [];
    for (const family of families) records.push(await anEnabled(ports, family, 8));
    await report(ports, records, 'timed out', MOMENT);
    const alert = await anAlert(ports, OF_ALL, { plugin: 8, windowMinutes: 60 });
    await evaluateAt(ports, minute(0));
    const [moved, gone, last] = records as [ConfigRecord, ConfigRecord, ConfigRecord];
    const { value } = await ports.records.find(moved);
    await ports.records.save(aRecordWrite(value ?? moved, { plugin: 9 }));
    await ports.erasures.start(gone.projectId, 'Project', anAuthor());
    await evaluateAt(ports, minute(1));
    expect(await watched(ports)).toEqual([[alert.id, last.id]]);
    for await (const _ of eraseProject(ports, gone.projectId));
    await change(ports, alert.id, { signal: 'offline', threshold: null, plugin: null });
    await evaluateAt(ports, minute(2));
    expect(await watched(ports)).toEqual([]);
  });

  test('it disables the records of several projects', async (ports) => {
    const records = [];
    for (let n = 0; n < 3; n++) records.push(await anEnabled(ports, await aFamily(ports), 8));
    await report(ports, records.slice(1), 'timed out', MOMENT);
    const { id } = await anAlert(ports, OF_ALL, { name: 'Stop it', action: 'disable' });
    await evaluateAt(ports, minute(0));
    const found = [];
    for (const record of records) found.push((await ports.records.find(record)).value);
    expect(found.map((record) => record?.enabled)).toEqual([true, false, false]);
    const [entry] = await historyOf(ports, records[1] as ConfigRecord);
    const label = `alert ${id} on all projects: Stop it`;
    expect(entry).toMatchObject({ activity: 'disabled', actor: { keyId: null, label } });
    const { items } = await ports.incidents.page(null, NO_FILTER, WHOLE);
    expect(items.map(({ reason }) => reason)).toEqual(['disabled', 'disabled']);
  });

  test('each signal finds the records of all projects', async (ports) => {
    const [one, other] = [await aFamily(ports), await aFamily(ports)];
    const now = Date.now();
    const [failing, silent] = [await anEnabled(ports, one, 8), await anEnabled(ports, other, 8)];
    await ingest(ports, [aDelivery(failing, { successes: 1, failures: 9, timestamp: now - 60_000 })]);
    const failed = [{ id: silent.id, error: 'The token was rejected.' }];
    const run = aRuntimeReport({ status: 'failed', failed });
    await ports.runtimes.report({ family: other, instance: 'a', report: run, at: new Date(now) });
    const at = new Date(now - 3_600_000);
    await ports.plugins.register(aPlugin({ id: 8 }), new Map(), anAuthor());
    for (const version of ['1', '2'])
      await registerVersion(ports, 8, aVersion({ version, checks: true }), anAuthor());
    await pinRecord(ports, { record: failing, version: '2', precondition: null, author: anAuthor({ at }) });
    await ports.pluginVersions.change(8, '2', { state: 'deprecated' }, anAuthor());
    const alerts = [];
    for (const rule of [
      { signal: 'delivery_rate', threshold: 0.5 },
      { signal: 'silence' },
      { signal: 'runtime' },
      { signal: 'offline' },
      { signal: 'outdated' },
      { signal: 'log', threshold: 1 },
    ] as const)
      alerts.push((await anAlert(ports, OF_ALL, { ...rule, at })).id);
    await evaluateAt(ports, new Date(now));
    const [rate, silence, runtime, offline, outdated] = alerts;
    expect(await watched(ports)).toEqual([
      [rate, failing.id],
      [silence, silent.id],
      [runtime, silent.id],
      [offline, null],
      [outdated, failing.id],
    ]);
    const { items } = await ports.incidents.page(
      one.projectId,
      { ...NO_FILTER, alertId: offline ?? 0 },
      WHOLE,
    );
    expect(items).toMatchObject([{ value: 0, project: { id: one.projectId }, record: null }]);
    await ports.runtimes.report({
      family: one,
      instance: 'a',
      report: aRuntimeReport(),
      at: new Date(now + ONLINE_MS),
    });
    await evaluateAt(ports, new Date(now + ONLINE_MS));
    expect((await watched(ports)).filter(([alert]) => alert === offline)).toEqual([]);
  });
}

const NO_FILTER = { alertId: null, recordId: null, plugin: null, open: null };

/** Returns the alerts and records of all open incidents. */
async function watched({ incidents }: LogPorts): Promise<readonly (readonly [number, number | null])[]> {
  const { items } = await incidents.page(null, { ...NO_FILTER, open: true }, WHOLE);
  const order = (a: Incident, b: Incident) => a.alertId - b.alertId || (a.recordId ?? 0) - (b.recordId ?? 0);
  return items.toSorted(order).map(({ alertId, recordId }) => [alertId, recordId] as const);
}

function anEnabled(ports: LogPorts, family: FamilyRef, plugin: number): Promise<ConfigRecord> {
  return aRecord(ports, family, { enabled: true, plugin });
}

function change({ alerts }: LogPorts, id: number, given: Partial<AlertRule>) {
  return alerts.change(SERVICE, id, null, (alert) => changeRule(alert, given), anAuthor());
}

async function report(
  ports: LogPorts,
  records: readonly ConfigRecord[],
  error: string | null,
  at: Date,
): Promise<void> {
  const reports = records.map((record) => anErrorReport(record, error, { timestamp: at.getTime() }));
  await ingest(ports, reports);
}
