import { DAY_MS, FAMILIES, sourceTime, type DeliveryMessage, type ErrorMessage } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { aDelivery, anErrorReport, anOrigin } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { calendar } from './calendar.ts';
import { changesOf } from './changes-of.ts';
import { seededPick } from './seeded-pick.ts';
import { countersOf } from './read-state.ts';

const ANOTHER_ID = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';

/** From the earlier to the later one, if all else is equal. */
const ERRORS = [null, '', 'B', 'a', 'b\uFFFD', 'b🚀'] as const;

type Stored = readonly ('stored' | 'duplicate')[];

export function storeErrors({ stores }: LogPorts, errors: readonly ErrorMessage[]): Promise<Stored> {
  return stores.withBatch(({ reports }) => reports.store({ errors, deliveries: [] }));
}

function storeDeliveries({ stores }: LogPorts, deliveries: readonly DeliveryMessage[]): Promise<Stored> {
  return stores.withBatch(({ reports }) => reports.store({ errors: [], deliveries }));
}

export function reportStoreContract(test: TestWith<LogPorts>): void {
  test('a reported error changes only its own record', async (ports) => {
    const family = await aFamily(ports);
    const [record] = [await aRecord(ports, family), await aRecord(ports, family)];
    const { ids } = await changesOf(ports, family, () => storeErrors(ports, [anErrorReport(record, 'new')]));
    expect(ids).toEqual([record.id]);
    const again = await changesOf(ports, family, () => storeErrors(ports, [anErrorReport(record, 'new')]));
    expect(again.ids).toEqual([]);
  });

  test('the record shows a reported error, which bumps the family version but no record version', async (ports) => {
    for (const family of FAMILIES) {
      const ref = await aFamily(ports, family);
      const [record, sister] = [await aRecord(ports, ref), await aRecord(ports, ref)];
      const before = await countersOf(ports, ref);
      const reports = [
        anErrorReport(record, 'old'),
        anErrorReport(sister, 'other'),
        anErrorReport(record, 'new'),
      ];
      await storeErrors(ports, reports);
      expect((await ports.records.find(record)).value).toEqual({ ...record, error: 'new' });
      expect((await ports.records.find(sister)).value).toEqual({ ...sister, error: 'other' });
      expect(await countersOf(ports, ref)).toEqual({ ...before, familyVersion: before.familyVersion + 1 });
    }
  });

  test('a report that is repeated within two days counts once, whatever its time', async (ports) => {
    await calendar();
    const record = await aRecord(ports, await aFamily(ports));
    const report = aDelivery(record);
    const again = { ...report, timestamp: report.timestamp - DAY_MS };
    expect(await storeDeliveries(ports, [report])).toEqual(['stored']);
    for (let day = 1; day <= 2; day++) {
      await ports.passTime(DAY_MS);
      await ports.retention.reportIds();
      expect(await storeDeliveries(ports, [again])).toEqual(['duplicate']);
    }
    await ports.passTime(DAY_MS);
    await ports.retention.reportIds();
    expect(await storeDeliveries(ports, [again])).toEqual(['stored']);
  });

  test('an error that the record already shows bumps no version', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await storeErrors(ports, [anErrorReport(record, '')]);
    const before = await countersOf(ports, family);
    await storeErrors(ports, [anErrorReport(record, '')]);
    expect(await countersOf(ports, family)).toEqual(before);
  });

  test('a report without an error clears the error', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await storeErrors(ports, [anErrorReport(record, 'broken')]);
    await storeErrors(ports, [anErrorReport(record, null)]);
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('the latest error is shown, even if reports arrive out of order or repeatedly', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const pick = seededPick(16);
    for (let round = 0; round < 25; round++) {
      const day = MOMENT.getTime() + round * DAY_MS;
      const reports = Array.from({ length: 1 + pick(12) }, () => {
        const origin = anOrigin({
          receivedAt: new Date(day + pick(3)),
          streamTime: pick(3) > 0 ? null : new Date(day + pick(3)),
        });
        const error = ERRORS[pick(6)] ?? null;
        return anErrorReport(record, error, { origin, timestamp: day + pick(2), position: pick(3) });
      });
      const rankOf = ({ timestamp, origin, position, error }: ErrorMessage) =>
        Number(
          [
            timestamp - day,
            sourceTime(origin) - day,
            position,
            ERRORS.findIndex((one) => one === error),
          ].join(''),
        );
      const [latest] = reports.toSorted((a, b) => rankOf(b) - rankOf(a));
      const comings = [...reports, ...reports].toSorted(() => pick(3) - 1);
      while (comings.length > 0) {
        const batches = Array.from({ length: 1 + pick(3) }, () => comings.splice(0, 1 + pick(4)));
        await Promise.all(batches.map((batch) => storeErrors(ports, batch)));
      }
      expect((await ports.records.find(record)).value?.error).toBe(latest?.error);
    }
  });

  test('of errors that differ only in their texts, one that is not cleared wins, then the greater text', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    let timestamp = MOMENT.getTime();
    for (const [i, error] of ERRORS.entries()) {
      for (const texts of [ERRORS.slice(0, i + 1), ERRORS.slice(0, i + 1).toReversed()]) {
        for (const maxItems of [1, texts.length]) {
          timestamp++;
          const reports = texts.map((text) => anErrorReport(record, text, { timestamp, position: 1 }));
          while (reports.length > 0) await storeErrors(ports, reports.splice(0, maxItems));
          expect((await ports.records.find(record)).value?.error).toBe(error);
        }
      }
    }
  });

  test('concurrent writers leave the latest error of each record', async (ports) => {
    const families = [await aFamily(ports), await aFamily(ports, 'pipeline_transformation_configs')] as const;
    const records = await Promise.all(
      Array.from({ length: 30 }, (_, i) => aRecord(ports, families[i % 2 === 0 ? 0 : 1])),
    );
    const reports = Array.from({ length: 300 }, (_, i) =>
      anErrorReport(records[i % 30] ?? { id: 0 }, i < 270 ? `error ${i}` : null),
    );
    const batches = Array.from({ length: 12 }, (_, w) =>
      reports.filter((_report, i) => i % 12 === w || i % 5 === w),
    );
    await Promise.all(
      batches.map((batch, w) => storeErrors(ports, w % 2 === 0 ? batch : batch.toReversed())),
    );
    await ports.rates.refresh(MOMENT);
    for (const record of records) expect((await ports.records.find(record)).value?.error).toBeNull();
  });

  test('a delivery counts once per id and record, even if its other values differ', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const report = aDelivery(record, { id: ANOTHER_ID });
    expect(await storeDeliveries(ports, [report, { ...report, failures: 9 }])).toEqual([
      'stored',
      'duplicate',
    ]);
    const again = [report, { ...report, timestamp: report.timestamp - DAY_MS }];
    for (const other of again) expect(await storeDeliveries(ports, [other])).toEqual(['duplicate']);
    await ports.rates.refresh(MOMENT);
    expect((await ports.records.find(record)).value?.deliveryRate).toBe('1.0000');
  });

  test('deliveries of different records with the same id both count', async (ports) => {
    const [record, foreign] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    const report = aDelivery(record, { id: ANOTHER_ID });
    expect(await storeDeliveries(ports, [aDelivery(foreign, { id: ANOTHER_ID })])).toEqual(['stored']);
    expect(await storeDeliveries(ports, [report, { ...report, recordId: foreign.id }])).toEqual([
      'stored',
      'duplicate',
    ]);
    await ports.rates.refresh(MOMENT);
    expect((await ports.records.find(record)).value?.deliveryRate).toBe('1.0000');
  });

  test('an id reported concurrently for different days counts once', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const reports = Array.from({ length: 200 }, () => aDelivery(record));
    const writers = Array.from({ length: 6 }, (_, w) =>
      (w % 2 === 0 ? reports : reports.toReversed()).map((report) => ({
        ...report,
        timestamp: report.timestamp - w * DAY_MS,
      })),
    );
    await storeDeliveries(
      ports,
      writers.map((_, w) => aDelivery(record, { timestamp: MOMENT.getTime() - w * DAY_MS })),
    );
    const outcomes = await Promise.all(writers.map((messages) => storeDeliveries(ports, messages)));
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(200);
    expect(outcomes.flat()).toHaveLength(1200);
  });

  test('a text that cannot be stored is rejected', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await expect(storeErrors(ports, [anErrorReport(record, 'a\0b')])).rejects.toMatchObject({
      name: 'DomainError',
      code: 'invalid_input',
    });
    expect((await ports.records.find(record)).value).toEqual(record);
  });
}
