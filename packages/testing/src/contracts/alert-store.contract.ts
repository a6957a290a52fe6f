import { ALERTS_MAX, changeRule, FAMILIES, ingest, type Alert, type AlertRule } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlert, anAlertRule } from '../builders/an-alert.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { anErrorReport } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { evaluateAt, incidentsOf } from './evaluate-at.ts';
import { WHOLE } from './read-state.ts';

const LATER = anAuthor({ at: secondsLater(60) });

const change = (
  { alerts }: LogPorts,
  { projectId, id }: Alert,
  given: Partial<AlertRule>,
  version?: number,
) =>
  alerts.change(
    projectId,
    id,
    version === undefined ? null : [version],
    (alert) => changeRule(alert, given),
    LATER,
  );

export function alertStoreContract(test: TestWith<LogPorts>): void {
  test('an alert is stored with its rule, and listed by id', async (ports) => {
    const { projectId } = await aFamily(ports);
    const rule = anAlertRule({
      signal: 'delivery_rate',
      threshold: 0.125,
      minSamples: 5,
      required: { n: 2, m: 9 },
    });
    const created = await ports.alerts.create(projectId, rule, anAuthor());
    const versioned = { version: 1, createdAt: MOMENT, updatedAt: MOMENT, evaluatedAt: null };
    expect(created).toEqual({ ...rule, id: created.id, projectId, ...versioned });
    const second = await anAlert(ports, { projectId, family: 'plugin_configs' });
    expect(await ports.alerts.find(projectId, created.id)).toEqual(created);
    expect(await ports.alerts.page(projectId, null, WHOLE)).toEqual({ count: 2, items: [created, second] });
    expect(await ports.alerts.page(projectId, null, { limit: 1, offset: 1 })).toEqual({
      count: 2,
      items: [second],
    });
    expect(await ports.alerts.page(projectId, null, { limit: 1, offset: 2 })).toEqual({
      count: 2,
      items: [],
    });
  });

  test('alerts of other projects cannot be found, changed or deleted', async (ports) => {
    const [mine, other] = [await aFamily(ports), await aFamily(ports)];
    const alert = await anAlert(ports, other);
    expect(await ports.alerts.find(mine.projectId, alert.id)).toBeNull();
    expect(await ports.alerts.page(mine.projectId, null, WHOLE)).toEqual({ count: 0, items: [] });
    expect(await change(ports, { ...alert, projectId: mine.projectId }, { name: 'Mine' })).toBeNull();
    expect(await ports.alerts.delete(mine.projectId, alert.id, null, LATER)).toBe(false);
    expect(await ports.alerts.find(other.projectId, alert.id)).toEqual(alert);
  });

  test('the record of an alert must be in its family', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const other = await aRecord(ports, await aFamily(ports));
    const missing = { code: 'does_not_exist', attr: 'record' };
    await expect(anAlert(ports, family, { recordId: other.id })).rejects.toMatchObject(missing);
    const elsewhere = { recordId: record.id, family: 'pipeline_transformation_configs' } as const;
    await expect(anAlert(ports, family, elsewhere)).rejects.toMatchObject(missing);
    const alert = await anAlert(ports, family, { recordId: record.id });
    await expect(change(ports, alert, { recordId: other.id })).rejects.toMatchObject(missing);
    expect(await ports.alerts.find(family.projectId, alert.id)).toEqual(alert);
  });

  test('a project has a limited number of alerts, however many are created at once', async (ports) => {
    const { projectId } = await aFamily(ports);
    const create = (n: number) => anAlert(ports, { projectId, family: FAMILIES[n % 2] ?? 'plugin_configs' });
    for (let n = 0; n < ALERTS_MAX.project - 5; n++) await create(n);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => create(n)));
    const rejected = outcomes.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(5);
    expect(rejected[0]).toMatchObject({ reason: { code: 'invalid_input' } });
    const { count, items } = await ports.alerts.page(projectId, null, WHOLE);
    expect(count).toBe(ALERTS_MAX.project);
    await ports.alerts.delete(projectId, items[0]?.id ?? 0, null, LATER);
    await anAlert(ports, { projectId, family: 'plugin_configs' });
  });

  test('a name is unique within the project, also if alerts are created or renamed concurrently', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const taken = { code: 'already_exists', attr: 'name' };
    const create = () => anAlert(ports, family, { name: 'Errors' });
    const created = await Promise.allSettled([create(), create(), create()]);
    const rejected = created.filter(({ status }) => status === 'rejected');
    expect(rejected).toMatchObject([{ reason: taken }, { reason: taken }]);
    await anAlert(ports, other, { name: 'Errors' });
    const renamed = [await anAlert(ports, family), await anAlert(ports, family)];
    await expect(change(ports, renamed[0] as Alert, { name: 'Errors' })).rejects.toMatchObject(taken);
    const changes = renamed.map(async (alert) => change(ports, alert, { name: 'Other' }));
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { items } = await ports.alerts.page(family.projectId, null, WHOLE);
    expect(new Set(items.map(({ name }) => name)).size).toBe(3);
    const first = items.find(({ name }) => name === 'Errors') as Alert;
    expect(await change(ports, first, { windowMinutes: 30 })).toMatchObject({ name: 'Errors', version: 2 });
    await ports.alerts.delete(family.projectId, first.id, null, LATER);
    expect((await create()).id).not.toBe(first.id);
  });

  test('a change bumps the version, and one that changes nothing does not', async (ports) => {
    const { projectId, family } = await aFamily(ports);
    const alert = await anAlert(ports, { projectId, family });
    expect(await change(ports, alert, { name: alert.name }, 1)).toEqual(alert);
    const changed = { ...alert, name: 'Other', windowMinutes: 30, version: 2, updatedAt: LATER.at };
    expect(await change(ports, alert, { name: 'Other', windowMinutes: 30 }, 1)).toEqual(changed);
    const stale = { code: 'stale_version' };
    await expect(change(ports, alert, { name: 'Third' }, 1)).rejects.toMatchObject(stale);
    await expect(ports.alerts.delete(projectId, alert.id, [1], LATER)).rejects.toMatchObject(stale);
    expect(await ports.alerts.find(projectId, alert.id)).toEqual(changed);
  });

  test('each change has an audit entry, with the name of the alert and its project', async (ports) => {
    const { projectId, family } = await aFamily(ports);
    const alert = await anAlert(ports, { projectId, family });
    await change(ports, alert, { name: 'Other' });
    await change(ports, alert, { name: 'Other' });
    await ports.alerts.delete(projectId, alert.id, null, LATER);
    const { items } = await ports.audit.page({ limit: 3, offset: 0 });
    const subject = { type: 'alert', id: alert.id, projectId } as const;
    expect(items.map(({ action, subject: of }) => [action, of])).toEqual([
      ['alert_deleted', { ...subject, name: 'Other' }],
      ['alert_changed', { ...subject, name: 'Other' }],
      ['alert_created', { ...subject, name: alert.name }],
    ]);
  });

  test('the next evaluation of a changed or deleted alert closes its incidents and starts over', async (ports) => {
    const { alert, kept, record, incidents } = await twoFiring(ports);
    await change(ports, alert, { windowMinutes: 20 });
    expect(await incidents(alert)).toMatchObject([{ reason: null }]);
    await evaluateAt(ports, LATER.at);
    expect(await incidents(alert)).toMatchObject([
      { reason: null, openedAt: LATER.at },
      { reason: 'changed', closedAt: LATER.at },
    ]);
    await ports.alerts.delete(alert.projectId, alert.id, null, LATER);
    await evaluateAt(ports, secondsLater(90));
    expect(await incidents(alert)).toMatchObject([
      { reason: 'deleted', closedAt: secondsLater(90), alertName: alert.name, recordId: record.id },
      { reason: 'changed' },
    ]);
    expect(await incidents(kept)).toMatchObject([{ reason: null }]);
    await evaluateAt(ports, secondsLater(200));
    expect(await incidents(alert)).toHaveLength(2);
  });

  test('a new name closes no incidents', async (ports) => {
    const { alert, incidents } = await twoFiring(ports);
    const renamed = await change(ports, alert, { name: 'Other' });
    expect(renamed).toMatchObject({ name: 'Other', version: 2 });
    await evaluateAt(ports, secondsLater(60));
    expect(await incidents(alert)).toMatchObject([{ reason: null, alertName: alert.name }]);
  });

  test('a disabled alert closes its incidents, and opens none', async (ports) => {
    const { alert, incidents } = await twoFiring(ports);
    await change(ports, alert, { enabled: false });
    for (const seconds of [60, 120]) await evaluateAt(ports, secondsLater(seconds));
    expect(await incidents(alert)).toMatchObject([{ reason: 'changed' }]);
    const found = await ports.alerts.find(alert.projectId, alert.id);
    expect(found?.evaluatedAt).toEqual(secondsLater(1));
  });

  test('an alert of one record closes the incidents of all', async (ports) => {
    const { alert, record, incidents } = await twoFiring(ports);
    const other = await aRecord(ports, record);
    await change(ports, alert, { recordId: other.id });
    await evaluateAt(ports, LATER.at);
    expect(await incidents(alert)).toMatchObject([{ reason: 'changed' }]);
  });

  test('a deleted project has no alerts to create or change', async (ports) => {
    const family = await aFamily(ports);
    const alert = await anAlert(ports, family);
    await ports.erasures.start(family.projectId, 'Project', anAuthor());
    await expect(anAlert(ports, family)).rejects.toMatchObject({ code: 'project_not_found' });
    expect(await change(ports, alert, { name: 'Other' })).toBeNull();
    expect(await ports.alerts.delete(family.projectId, alert.id, null, LATER)).toBe(false);
    expect(await evaluateAt(ports, secondsLater(1))).toEqual({ count: 0, failed: [] });
  });
}

/** Creates two alerts with an open incident of the same record. */
async function twoFiring(ports: LogPorts) {
  const family = await aFamily(ports);
  const record = await aRecord(ports, family, { enabled: true });
  await ingest(ports, [anErrorReport(record, 'timed out')]);
  const [alert, kept] = [await anAlert(ports, family), await anAlert(ports, family)];
  await evaluateAt(ports, secondsLater(1));
  const incidents = (of: Alert) => incidentsOf(ports, family.projectId, { alertId: of.id });
  return { record, alert, kept, incidents };
}
