import {
  FAMILIES,
  ingest,
  SPAN_MS,
  updateRecord,
  type AlertRule,
  type ConfigRecord,
  type FamilyRef,
  type Task,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlert } from '../builders/an-alert.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor } from '../builders/an-author.ts';
import { aDelivery, anEntry, anErrorReport } from '../builders/an-ingest-message.ts';
import { aRuntimeReport } from '../builders/a-runtime-report.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { evaluateAt, incidentsOf } from './evaluate-at.ts';
import { seededPick } from './seeded-pick.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 20_000;
const ago = (ms: number): number => NOW - ms;

/** The measurements of the signals of alerts. */
export function alertSignalsContract(test: TestWith<LogPorts>): void {
  test('the delivery rate includes exactly the five minutes that overlap the window', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    const pick = seededPick(7);
    const reports = Array.from({ length: 300 }, () => ({
      timestamp: ago(pick(24 * 60) * MINUTE_MS + pick(MINUTE_MS)),
      successes: pick(5),
      successesOnRetry: pick(3),
      failures: pick(4),
    }));
    await ingest(
      ports,
      reports.map((given) => aDelivery(record, given)),
    );
    for (const windowMinutes of [5, 7, 10, 11, 60, 61, 333, 720, 1430]) {
      const first = Math.floor(ago(windowMinutes * MINUTE_MS) / SPAN_MS) * SPAN_MS;
      const counted = reports.filter(({ timestamp }) => timestamp >= first);
      const good = sum(counted.map(({ successes, successesOnRetry }) => successes + successesOnRetry));
      const all = good + sum(counted.map(({ failures }) => failures));
      const read = await sampleOf(ports, family, { signal: 'delivery_rate', threshold: 1, windowMinutes });
      expect([windowMinutes, read]).toEqual([windowMinutes, { count: all, successes: good }]);
    }
  });

  test('log entries of type ERROR count, from any source, up to the threshold', async (ports) => {
    const family = await aFamily(ports);
    const [record, other] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const pick = seededPick(8);
    const times = Array.from({ length: 120 }, () => ago(pick(23 * 60 * MINUTE_MS)));
    const sources = ['SYSTEM', 'PLUGIN', 'CONSOLE', 'OTHER'];
    await ingest(ports, [
      ...times.map((timestamp, n) =>
        anEntry(record, { timestamp, type: 'ERROR', source: sources[n % 4] ?? '' }),
      ),
      ...times.map((timestamp) => anEntry(record, { timestamp, type: 'WARN' })),
      ...times.map((timestamp) => anEntry(other, { timestamp, type: 'ERROR' })),
    ]);
    for (const windowMinutes of [5, 55, 60, 61, 130, 600, 1300]) {
      for (const threshold of [1, 3, 40, 10_000]) {
        const start = ago(windowMinutes * MINUTE_MS);
        const expected = Math.min(threshold, times.filter((time) => time > start).length);
        const rule = { signal: 'log', threshold, windowMinutes, recordId: record.id } as const;
        const { count } = await sampleOf(ports, family, rule);
        // Below the threshold, an upper bound from the counters of hours will do.
        const isReached = count >= threshold;
        expect([windowMinutes, threshold, isReached]).toEqual([
          windowMinutes,
          threshold,
          expected >= threshold,
        ]);
        if (isReached) expect(count).toBe(threshold);
      }
    }
  });

  test('an error counts while it is shown, and only if it was reported within the window', async (ports) => {
    for (const name of FAMILIES) {
      const family = await aFamily(ports, name);
      const record = await anEnabled(ports, family);
      const rule = { signal: 'error', windowMinutes: 10 } as const;
      const count = async () => (await sampleOf(ports, family, rule)).count;
      expect(await count()).toBe(0);
      await ingest(ports, [anErrorReport(record, 'timed out', { timestamp: ago(11 * MINUTE_MS) })]);
      expect(await count()).toBe(0);
      await ingest(ports, [anErrorReport(record, 'timed out', { timestamp: ago(9 * MINUTE_MS) })]);
      expect(await count()).toBe(1);
      await ingest(ports, [anErrorReport(record, null, { timestamp: ago(8 * MINUTE_MS) })]);
      expect(await count()).toBe(0);
    }
  });

  test('a record is silent without a delivery and an entry in the window', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 6 }, () => anEnabled(ports, family)));
    const [a, b, c, d, e] = records as [ConfigRecord, ConfigRecord, ConfigRecord, ConfigRecord, ConfigRecord];
    await ingest(ports, [
      anEntry(a, { timestamp: ago(16 * MINUTE_MS) }),
      anEntry(b, { timestamp: ago(14 * MINUTE_MS) }),
      aDelivery(c, { timestamp: ago(21 * MINUTE_MS) }),
      aDelivery(d, { timestamp: ago(14 * MINUTE_MS) }),
      aDelivery(e, { timestamp: NOW }),
    ]);
    const counts = await samplesOf(ports, family, { signal: 'silence', windowMinutes: 15 });
    expect(records.map(({ id }) => counts.get(id)?.count)).toEqual([0, 1, 0, 1, 1, 0]);
  });

  test('a record that was changed in the window is not silent yet', async (ports) => {
    const family = await aFamily(ports);
    const [quiet, changed] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const author = anAuthor({ at: new Date(ago(MINUTE_MS)) });
    const command = { record: changed, precondition: null, change: { name: 'New' }, author };
    await updateRecord({ ...ports, requireRegistered: false }, command);
    await anAlert(ports, family, { signal: 'silence', at: new Date(NOW) });
    await evaluateAt(ports, new Date(NOW));
    const silent = async () => (await incidentsOf(ports, family.projectId)).map(({ recordId }) => recordId);
    expect(await silent()).toEqual([quiet.id]);
    await evaluateAt(ports, new Date(NOW + 15 * MINUTE_MS));
    expect(await silent()).toEqual([changed.id, quiet.id]);
  });

  test('a family without enough online runtimes has an incident, which no record is part of', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const send = (instance: string, at: number, of = family) =>
      ports.runtimes.report({ family: of, instance, report: aRuntimeReport({}), at: new Date(at) });
    await send('a', ago(5 * MINUTE_MS));
    await send('b', ago(20 * MINUTE_MS));
    await send('c', ago(MINUTE_MS), other);
    const rule = {
      signal: 'offline',
      threshold: null,
      windowMinutes: 10,
      at: new Date(ago(HOUR_MS)),
    } as const;
    await anAlert(ports, family, rule);
    const two = await anAlert(ports, family, { ...rule, threshold: 2 });
    await anAlert(ports, family, { ...rule, threshold: 2, at: new Date(ago(MINUTE_MS)) });
    await evaluateAt(ports, new Date(NOW));
    const incidents = await incidentsOf(ports, family.projectId);
    expect(incidents).toMatchObject([{ alertId: two.id, recordId: null, value: 1, closedAt: null }]);
    await send('b', NOW);
    await evaluateAt(ports, new Date(NOW + MINUTE_MS));
    expect(await incidentsOf(ports, family.projectId)).toMatchObject([{ reason: 'recovered' }]);
    expect(await incidentsOf(ports, other.projectId)).toEqual([]);
  });

  test('a runtime that keeps the version from before a change is behind on the changed record', async (ports) => {
    const family = await aFamily(ports);
    const [record] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const send = (version: string, at: number) =>
      ports.runtimes.report({ family, instance: 'a', report: aRuntimeReport({ version }), at: new Date(at) });
    await send('old', ago(2 * HOUR_MS));
    const author = anAuthor({ at: new Date(ago(HOUR_MS)) });
    const command = { record, precondition: null, change: { name: 'New' }, author };
    await updateRecord({ ...ports, requireRegistered: false }, command);
    await send('old', NOW);
    const rule = { signal: 'runtime', windowMinutes: 30 } as const;
    const counts = await samplesOf(ports, family, rule);
    expect([...counts.values()].map(({ count }) => count)).toEqual([1, 0]);
    expect((await sampleOf(ports, family, { ...rule, windowMinutes: 61, recordId: record.id })).count).toBe(
      0,
    );
    await send('other', NOW + 1);
    const caughtUp = await samplesOf(ports, family, rule);
    expect([...caughtUp.values()].map(({ count }) => count)).toEqual([0, 0]);
  });
}

function anEnabled(ports: LogPorts, family: FamilyRef): Promise<ConfigRecord> {
  return aRecord(ports, family, { enabled: true });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Reads what the window of a rule shows of each record of the family at `NOW`, by id. */
async function samplesOf(ports: LogPorts, family: FamilyRef, rule: Partial<AlertRule>) {
  const alert = await anAlert(ports, family, { ...rule, at: new Date(NOW) });
  const claim = { limit: 1, exceptTenants: [], onlyKeys: [family.projectId] };
  const [task] = (await ports.tasks.claim('alerts', claim)) as [Task];
  const [evaluation] = await ports.evaluations.ofProject(task, new Date(NOW));
  const samples = new Map<number, { readonly count: number; readonly successes: number }>();
  for (const ids of (await evaluation?.chunks(0)) ?? []) {
    const records = (await evaluation?.read(ids)) ?? [];
    for (const { recordId, sample } of records) samples.set(recordId, sample);
  }
  await ports.alerts.delete(family.projectId, alert.id, null, anAuthor());
  await ports.tasks.settle(task, { dueInMs: 0 });
  await evaluateAt(ports, new Date(NOW));
  return samples;
}

async function sampleOf(ports: LogPorts, family: FamilyRef, rule: Partial<AlertRule>) {
  const [sample] = [...(await samplesOf(ports, family, rule)).values()];
  return sample ?? { count: -1, successes: -1 };
}
