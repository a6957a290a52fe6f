import {
  ingest,
  PREVIEW_RECORDS_MAX,
  previewAlert,
  type AlertRule,
  type ConfigRecord,
  type FamilyRef,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlertRule } from '../builders/an-alert.ts';
import { aRecord } from '../builders/a-record.ts';
import { aDelivery, anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
/** The last step has just ended. */
const END = Math.floor(Date.now() / STEP_MS) * STEP_MS;
const before = (minutes: number): number => END - minutes * MINUTE_MS;
const LIMITS = { deadline: { remainingMs: () => 10_000 }, signal: new AbortController().signal };

export function alertPreviewsContract(test: TestWith<LogPorts>): void {
  const preview = (
    { alertPreviews: previews }: LogPorts,
    { projectId, family }: FamilyRef,
    rule: Partial<AlertRule>,
  ) =>
    previewAlert({ previews }, projectId, anAlertRule({ family, ...rule }), { at: new Date(END), ...LIMITS });

  test('a preview of the delivery rate finds the bad minutes of the last day', async (ports) => {
    const family = await aFamily(ports);
    const [good, bad] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const reports = Array.from({ length: 24 * 12 }, (_, step) => before(step * 5 + 3));
    await ingest(
      ports,
      reports.flatMap((timestamp) => [
        aDelivery(good, { timestamp, successes: 10 }),
        aDelivery(bad, {
          timestamp,
          successes: 10,
          failures: timestamp > before(120) && timestamp < before(60) ? 10 : 0,
        }),
      ]),
    );
    const rule = { signal: 'delivery_rate', threshold: 0.75, windowMinutes: 10 } as const;
    const { count, items } = await preview(ports, family, rule);
    const times = { openedAt: new Date(before(115)), closedAt: new Date(before(50)) };
    expect({ count, items }).toEqual({ count: 1, items: [{ recordId: bad.id, value: 0.6666, ...times }] });
  });

  test('the first window of a preview reaches back before the last day', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    await ingest(ports, [aDelivery(record, { timestamp: before(26 * 60), successes: 0, failures: 5 })]);
    const rule = { signal: 'delivery_rate', threshold: 0.75, windowMinutes: 180 } as const;
    const { items } = await preview(ports, family, rule);
    expect(items).toMatchObject([
      { recordId: record.id, openedAt: new Date(before(24 * 60 - 5)), closedAt: null },
    ]);
  });

  test('a preview of a log counts its errors', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    const errors = [7, 8, 9, 62, 66, 600].map((minutes) => ({ timestamp: before(minutes), type: 'ERROR' }));
    const others = [7, 8, 61].map((minutes) => ({ timestamp: before(minutes), type: 'INFO' }));
    await ingest(
      ports,
      [...errors, ...others].map((given) => anEntry(record, given)),
    );
    const found = await preview(ports, family, { signal: 'log', threshold: 2, windowMinutes: 10 });
    expect(found).toEqual({
      count: 2,
      items: [
        { recordId: record.id, value: 2, openedAt: new Date(before(5)), closedAt: null },
        { recordId: record.id, value: 2, openedAt: new Date(before(60)), closedAt: new Date(before(55)) },
      ],
    });
  });

  test('a preview of silence takes entries and deliveries as signs of life', async (ports) => {
    const family = await aFamily(ports);
    const record = await anEnabled(ports, family);
    const alive = Array.from({ length: 26 * 6 }, (_, n) => before(n * 10 + 1)).filter(
      (time) => time < before(300) || time > before(200),
    );
    await ingest(
      ports,
      alive.map((timestamp, n) =>
        n % 2 === 0 ? anEntry(record, { timestamp }) : aDelivery(record, { timestamp }),
      ),
    );
    const { items } = await preview(ports, family, { signal: 'silence', windowMinutes: 30 });
    expect(items).toHaveLength(1);
    const { openedAt, closedAt } = items[0] ?? {};
    expect(openedAt?.getTime()).toBeGreaterThan(before(280));
    expect(openedAt?.getTime()).toBeLessThan(before(260));
    expect(closedAt?.getTime()).toBeGreaterThan(before(200));
    expect(closedAt?.getTime()).toBeLessThan(before(180));
  });

  test('a preview of silence finds records that have never shown a sign of life', async (ports) => {
    const family = await aFamily(ports);
    const [silent, alive] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    await ingest(
      ports,
      Array.from({ length: 26 * 12 }, (_, n) => anEntry(alive, { timestamp: before(n * 5 + 1) })),
    );
    const rule = { signal: 'silence', windowMinutes: 30 } as const;
    const incident = {
      recordId: silent.id,
      value: null,
      openedAt: new Date(before(24 * 60 - 5)),
      closedAt: null,
    };
    for (const recordId of [null, silent.id])
      expect(await preview(ports, family, { ...rule, recordId })).toEqual({ count: 1, items: [incident] });
    expect(await preview(ports, family, { ...rule, recordId: alive.id })).toEqual({ count: 0, items: [] });
  });

  test('a preview reads only the record of the rule, and no disabled or foreign ones', async (ports) => {
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const [one, two] = [await anEnabled(ports, family), await anEnabled(ports, family)];
    const ignored = [await aRecord(ports, family), await anEnabled(ports, other)];
    await ingest(
      ports,
      [one, two, ...ignored].map((record) => anEntry(record, { timestamp: before(4), type: 'ERROR' })),
    );
    const rule = { signal: 'log', threshold: 1 } as const;
    const recordsOf = async (given: Partial<AlertRule>) =>
      (await preview(ports, family, { ...rule, ...given })).items.map(({ recordId }) => recordId);
    expect(await recordsOf({})).toEqual([one.id, two.id]);
    expect(await recordsOf({ recordId: two.id })).toEqual([two.id]);
    await expect(recordsOf({ recordId: ignored[1]?.id ?? 0 })).rejects.toMatchObject({
      code: 'does_not_exist',
      attr: 'record',
    });
  });

  test('a preview of a large family reads the records with the most data', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(
      Array.from({ length: PREVIEW_RECORDS_MAX + 20 }, () => anEnabled(ports, family)),
    );
    await ingest(
      ports,
      records.flatMap((record, n) =>
        Array.from({ length: n < 20 ? 1 : 2 }, () =>
          anEntry(record, { timestamp: before(4), type: 'ERROR' }),
        ),
      ),
    );
    const { count } = await preview(ports, family, { signal: 'log', threshold: 1 });
    expect(count).toBe(PREVIEW_RECORDS_MAX);
    expect((await preview(ports, family, { signal: 'log', threshold: 2 })).count).toBe(PREVIEW_RECORDS_MAX);
  });

  test('a preview stops with its caller', async (ports) => {
    const family = await aFamily(ports);
    await ingest(ports, [anEntry(await anEnabled(ports, family), { timestamp: before(4), type: 'ERROR' })]);
    const rule = anAlertRule({ signal: 'log', threshold: 1 });
    const limits = { at: new Date(END), ...LIMITS, signal: AbortSignal.abort() };
    const { alertPreviews: previews } = ports;
    expect(await previewAlert({ previews }, family.projectId, rule, limits)).toEqual({ count: 0, items: [] });
  });
}

function anEnabled(ports: LogPorts, family: FamilyRef): Promise<ConfigRecord> {
  return aRecord(ports, family, { enabled: true });
}
