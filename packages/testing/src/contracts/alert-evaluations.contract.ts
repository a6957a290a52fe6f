import {
  changeRule,
  deleteRecord,
  evaluateAlerts,
  ingest,
  OPEN_INCIDENTS_MAX,
  TASK_KINDS,
  updateRecord,
  type Alert,
  type AlertEvaluation,
  type AlertEvaluations,
  type ConfigRecord,
  type FamilyRef,
  type RecordChange,
  type Task,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlert } from '../builders/an-alert.ts';
import { aWebhook } from '../builders/a-webhook.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor, MOMENT, secondsLater } from '../builders/an-author.ts';
import { anErrorReport } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { evaluateAt, incidentsOf } from './evaluate-at.ts';
import { historyOf } from './read-state.ts';

/** Few enough to be created in time on a busy machine. */
const CREATED_AT_ONCE = 250;

const minute = (number: number): Date => secondsLater(60 * number);

/** The evaluation of alerts by a signal that is simple to control: the errors of records. */
export function alertEvaluationsContract(test: TestWith<LogPorts>): void {
  test('an alert watches each enabled record of its family, or only one', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const records = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const ignored = [await aRecord(ports, family), await anEnabled(ports, other)];
    await report(ports, [...records, ...ignored], 'timed out', MOMENT);
    const all = await anAlert(ports, family);
    const one = await anAlert(ports, family, { recordId: records[1]?.id ?? 0 });
    await evaluateAt(ports, minute(0));
    const incidents = await incidentsOf(ports, family.projectId);
    const sorted = incidents.toSorted((a, b) => a.alertId - b.alertId || a.id - b.id);
    expect(sorted.map(({ alertId, recordId }) => [alertId, recordId])).toEqual([
      ...records.map(({ id }) => [all.id, id]),
      [one.id, records[1]?.id],
    ]);
    expect(incidents[0]).toMatchObject({
      openedAt: minute(0),
      closedAt: null,
      reason: null,
      signal: 'error',
    });
    expect(await incidentsOf(ports, other.projectId)).toEqual([]);
  });

  test('an alert is evaluated once a minute, however long that takes, and stores when', async (ports) => {
    const family = await aFamily(ports);
    const alert = await anAlert(ports, family);
    const disabled = await anAlert(ports, family, { enabled: false });
    const evaluatedAt = async ({ projectId, id }: Alert) =>
      (await ports.alerts.find(projectId, id))?.evaluatedAt;
    for (const [seconds, dueInMs] of [
      [0, 60_000],
      [13, 47_000],
      [200, 0],
      [-3600, 60_000],
    ] as const) {
      const times = [minute(0), secondsLater(seconds)];
      const clock = { now: () => times.shift() ?? MOMENT };
      const [task] = await claimAll(ports);
      const next = await evaluateAlerts({ ...ports, clock, meter: METER, elapsed: () => 0 }, task, RUNNING);
      expect(next).toEqual({ dueInMs, payload: '' });
      await ports.tasks.settle(task, { ...next, dueInMs: 0 });
    }
    expect(await evaluatedAt(alert)).toEqual(minute(0));
    expect(await evaluatedAt(disabled)).toBeNull();
  });

  test('an incident does not end before it begins, even if the clock steps back', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    await report(ports, [record], 'timed out', MOMENT);
    await anAlert(ports, family);
    await evaluateAt(ports, minute(10));
    await report(ports, [record], null, minute(1));
    await evaluateAt(ports, minute(2));
    const incident = { openedAt: minute(10), closedAt: minute(10), reason: 'recovered' };
    expect(await incidentsOf(ports, family.projectId)).toMatchObject([incident]);
  });

  test('the incidents of disabled and deleted records close, and re-enabled records start over', async (ports) => {
    const family = await aFamily(ports);
    const records = [await anEnabled(ports, family), await anEnabled(ports, family)] as const;
    await report(ports, records, 'timed out', MOMENT);
    await anAlert(ports, family, { windowMinutes: 60, required: { n: 2, m: 2 } });
    await evaluateAt(ports, minute(0));
    await evaluateAt(ports, minute(1));
    const disabled = await change(ports, records[0], { enabled: false });
    await deleteRecord({ ...ports, requireRegistered: false }, changing(records[1]));
    await evaluateAt(ports, minute(2));
    const reasons = async () =>
      (await incidentsOf(ports, family.projectId))
        .toSorted((a, b) => a.id - b.id)
        .map(({ recordId, reason }) => [recordId, reason]);
    const closed = [
      [records[0].id, 'disabled'],
      [records[1].id, 'deleted'],
    ];
    expect(await reasons()).toEqual(closed);
    await change(ports, disabled, { enabled: true });
    await evaluateAt(ports, minute(3));
    expect(await reasons()).toEqual(closed);
    await evaluateAt(ports, minute(4));
    expect(await reasons()).toEqual([...closed, [records[0].id, null]]);
  });

  test('an alert with the action disable disables the record, once per incident', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    await report(ports, [record], 'timed out', MOMENT);
    const alert = await anAlert(ports, family, { action: 'disable', name: 'Stop it', windowMinutes: 60 });
    await evaluateAt(ports, minute(0));
    await evaluateAt(ports, minute(1));
    const { value } = await ports.records.find(record);
    expect(value).toMatchObject({ enabled: false, version: record.version + 1, updatedAt: minute(0) });
    const [entry, ...earlier] = await historyOf(ports, record);
    expect(entry).toMatchObject({
      activity: 'disabled',
      actor: { keyId: null, label: `alert ${alert.id}: Stop it` },
      requestId: null,
      changes: [{ field: 'enabled', before: true, after: false }],
    });
    expect(earlier).toHaveLength(1);
    const incident = { openedAt: minute(0), closedAt: minute(0), reason: 'disabled' };
    expect(await incidentsOf(ports, family.projectId)).toMatchObject([incident]);
    if (value !== null) await change(ports, value, { enabled: true });
    await evaluateAt(ports, minute(2));
    expect(await incidentsOf(ports, family.projectId)).toMatchObject([{ openedAt: minute(2) }, incident]);
    expect((await ports.records.find(record)).value?.enabled).toBe(false);
  });

  test('a record that was disabled while its window was read has no incident', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    await report(ports, [record], 'timed out', MOMENT);
    await anAlert(ports, family, { action: 'disable' });
    const disabling = wrapped(ports.evaluations, (evaluation) => ({
      ...evaluation,
      read: async (ids) => {
        const read = await evaluation.read(ids);
        await change(ports, record, { enabled: false });
        return read;
      },
    }));
    await evaluateAt({ ...ports, evaluations: disabling }, minute(0));
    expect(await incidentsOf(ports, family.projectId)).toEqual([]);
    expect(await historyOf(ports, record)).toMatchObject([
      { activity: 'disabled', actor: { label: 'operator' } },
      {},
    ]);
  });

  test('nothing is stored for an alert that was changed, deleted or claimed again, or whose project was deleted', async (ports) => {
    const author = anAuthor();
    const meanwhile: readonly ((alert: Alert) => Promise<unknown>)[] = [
      async () => {
        await ports.passTime(TASK_KINDS.alerts.leaseMs);
        await ports.tasks.wake();
        await claimAll(ports);
      },
      ({ projectId, id }) =>
        ports.alerts.change(projectId, id, null, (was) => changeRule(was, { windowMinutes: 6 }), author),
      ({ projectId, id }) => ports.alerts.delete(projectId, id, null, author),
      ({ projectId }) => ports.erasures.start(projectId, 'Project', author),
    ];
    for (const action of ['notify', 'disable'] as const) {
      for (const happens of meanwhile) {
        const family = await aFamily(ports);
        const record = await anEnabled(ports, family);
        const alert = await anAlert(ports, family, { action });
        const task = (await claimAll(ports)).find(({ key }) => key === family.projectId);
        const [evaluation] = (task && (await ports.evaluations.ofProject(task, minute(0)))) ?? [];
        await happens(alert);
        const effect = { kind: 'open', value: null } as const;
        const transition = { recordId: record.id, state: { recent: [true], firing: true }, effect };
        expect(await evaluation?.store([transition])).toBe(false);
        expect(await incidentsOf(ports, family.projectId)).toEqual([]);
        expect(await historyOf(ports, record)).toHaveLength(1);
      }
    }
  });

  test('webhooks get an incident when it opens and when it closes', async (ports) => {
    const family = await aFamily(ports);
    const { projectId } = family;
    const events = ['incident.opened', 'incident.closed'] as const;
    const { webhook } = await aWebhook(ports, projectId, { events });
    await aWebhook(ports, (await aFamily(ports)).projectId);
    const record = await anEnabled(ports, family);
    const alert = await anAlert(ports, family);
    const deleting = await anAlert(ports, family);
    await anAlert(ports, family, { enabled: false });
    for (const [n, error] of ['timed out', null].entries()) {
      await report(ports, [record], error, minute(n));
      if (error === null)
        await ports.alerts.delete(projectId, deleting.id, null, anAuthor({ at: minute(n) }));
      await evaluateAt(ports, minute(n));
    }
    const { items } = await ports.dispatches.page(projectId, webhook.id, { limit: 10, offset: 0 });
    const payloads = items.map(({ payload }) => JSON.parse(payload) as Payload).toReversed();
    const kinds = payloads.map(({ type, data }) => [type, data['alert_id'], data['reason']]);
    expect(kinds).toEqual([
      ['incident.opened', alert.id, null],
      ['incident.opened', deleting.id, null],
      ['incident.closed', alert.id, 'recovered'],
      ['incident.closed', deleting.id, 'deleted'],
    ]);
    expect(payloads[2]).toMatchObject({
      type: 'incident.closed',
      timestamp: minute(1).toISOString(),
      data: {
        project_id: projectId,
        id: payloads[0]?.data['id'],
        alert_id: alert.id,
        alert_project_id: projectId,
        alert_name: alert.name,
        family: family.family,
        record_id: record.id,
        signal: 'error',
        value: null,
        opened_at: minute(0).toISOString(),
        closed_at: minute(1).toISOString(),
        reason: 'recovered',
        project: { id: projectId, external_id: null, name: 'Project' },
        record: { id: record.id, name: `Record ${record.id}` },
        plugin: { id: 7, slug: null, name: null },
        url: null,
      },
    });
  });

  test('projects take turns by chunks of records, so a large one does not delay the others', async (ports) => {
    const [large, small] = [await aFamily(ports), await aFamily(ports)];
    await manyEnabled(ports, large, 2500);
    await anEnabled(ports, small);
    for (let n = 0; n < 2; n++) await anAlert(ports, large);
    for (let n = 0; n < 3; n++) await anAlert(ports, small);
    const turns: (readonly [projectId: number, records: number])[] = [];
    const watched = wrapped(ports.evaluations, (evaluation) => ({
      ...evaluation,
      read: (ids) => {
        turns.push([evaluation.alert.projectId, ids.length]);
        return evaluation.read(ids);
      },
    }));
    expect((await evaluateAt({ ...ports, evaluations: watched }, minute(0), slowClock())).count).toBe(5);
    const ofSmall = turns.flatMap(([projectId], i) => (projectId === small.projectId ? i : []));
    expect(Math.max(...ofSmall)).toBeLessThan(6);
    const chunks = turns.flatMap(([projectId, records]) => (projectId === large.projectId ? records : []));
    expect(chunks).toEqual([1000, 1000, 500, 1000, 1000, 500]);
  });

  test('an alert that cannot be evaluated does not delay others, and is due again a minute later', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports), await aFamily(ports)];
    const alerts: Alert[] = [];
    for (const family of families) {
      await anEnabled(ports, family);
      alerts.push(await anAlert(ports, family));
    }
    const failing = wrapped(ports.evaluations, (evaluation) => ({
      ...evaluation,
      read: async (ids) => {
        if (evaluation.alert.id === alerts[0]?.id) throw new Error('Too slow.');
        return evaluation.read(ids);
      },
    }));
    const { count, failed } = await evaluateAt({ ...ports, evaluations: failing }, minute(0));
    expect([count, failed.map(({ alert, error }) => [alert.id, String(error)])]).toEqual([
      2,
      [[alerts[0]?.id, 'Error: Too slow.']],
    ]);
    const evaluatedAt = alerts.map(
      async ({ projectId, id }) => (await ports.alerts.find(projectId, id))?.evaluatedAt,
    );
    expect(await Promise.all(evaluatedAt)).toEqual([null, minute(0), minute(0)]);
    expect((await evaluateAt(ports, minute(1))).count).toBe(3);
  });

  test('an interrupted evaluation is continued by the next one, with each incident once', async (ports) => {
    const family = await aFamily(ports);
    const records = await manyEnabled(ports, family, 2100);
    await report(ports, records, 'timed out', MOMENT);
    await anAlert(ports, family);
    let chunks = 0;
    const interrupted = wrapped(ports.evaluations, (evaluation) => ({
      ...evaluation,
      store: async (transitions) => {
        if (++chunks > 2) throw new Error('The worker was killed.');
        return evaluation.store(transitions);
      },
    }));
    expect((await evaluateAt({ ...ports, evaluations: interrupted }, minute(0))).failed).toHaveLength(1);
    const page = { limit: 1, offset: 0 };
    const filter = { alertId: null, recordId: null, plugin: null, open: true };
    expect((await ports.incidents.page(family.projectId, filter, page)).count).toBe(
      OPEN_INCIDENTS_MAX.project,
    );
    expect(await evaluateAt(ports, minute(1))).toEqual({ count: 1, failed: [] });
    expect((await ports.incidents.page(family.projectId, filter, page)).count).toBe(
      OPEN_INCIDENTS_MAX.project + 1,
    );
  });

  test('no further chunk is evaluated once the worker stops', async (ports) => {
    const family = await aFamily(ports);
    await anEnabled(ports, family);
    for (let n = 0; n < 2; n++) await anAlert(ports, family);
    const stopping = { aborted: false };
    let evaluated = 0;
    const meter = { ...METER, evaluated: () => void evaluated++ };
    const stopped = wrapped(ports.evaluations, (evaluation) => ({
      ...evaluation,
      read: async (ids) => {
        stopping.aborted = true;
        return evaluation.read(ids);
      },
    }));
    const dependencies = { evaluations: stopped, clock: { now: () => MOMENT }, meter, elapsed: () => 0 };
    const [task] = await claimAll(ports);
    const next = await evaluateAlerts(dependencies, task, stopping);
    expect(evaluated).toBe(1);
    await ports.tasks.settle(task, next);
    expect((await evaluateAt(ports, MOMENT)).count).toBe(1);
  });
}

const METER = { evaluated: () => undefined, failed: () => undefined };
const RUNNING = { aborted: false };

/** Returns a clock by which each step takes a second, and is thus a separate slice. */
function slowClock(): () => number {
  let ms = 0;
  return () => (ms += 1000);
}

/** Claims the tasks of all projects with alerts, at least one. */
async function claimAll({ tasks }: Pick<LogPorts, 'tasks'>): Promise<readonly [Task, ...Task[]]> {
  return (await tasks.claim('alerts', { limit: 100, exceptTenants: [] })) as [Task, ...Task[]];
}

interface Payload {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function anEnabled(ports: LogPorts, family: FamilyRef): Promise<ConfigRecord> {
  return aRecord(ports, family, { enabled: true });
}

async function manyEnabled(
  ports: LogPorts,
  family: FamilyRef,
  count: number,
): Promise<readonly ConfigRecord[]> {
  const records: ConfigRecord[] = [];
  while (records.length < count) {
    const chunk = Math.min(CREATED_AT_ONCE, count - records.length);
    records.push(...(await Promise.all(Array.from({ length: chunk }, () => anEnabled(ports, family)))));
  }
  return records;
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

function changing(record: ConfigRecord) {
  return { record, precondition: null, author: anAuthor() };
}

function change(ports: LogPorts, record: ConfigRecord, given: RecordChange): Promise<ConfigRecord> {
  return updateRecord({ ...ports, requireRegistered: false }, { ...changing(record), change: given });
}

/** Wraps each evaluation of a real adapter. */
function wrapped(
  { ofProject }: AlertEvaluations,
  wrap: (evaluation: AlertEvaluation) => AlertEvaluation,
): AlertEvaluations {
  return { ofProject: async (task, at) => (await ofProject(task, at)).map(wrap) };
}
