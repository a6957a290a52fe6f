import { DAY_MS, ingest, SPAN_MS } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { aDelivery } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { changesOf } from './changes-of.ts';
import { countersOf } from './read-state.ts';

const HOUR_MS = 3_600_000;

function later(ms: number): Date {
  return new Date(MOMENT.getTime() + ms);
}

export function deliveryRatesContract(test: TestWith<LogPorts>): void {
  test('a new rate changes only its own record', async (ports) => {
    const family = await aFamily(ports);
    const [record] = [await aRecord(ports, family), await aRecord(ports, family)];
    await ingest(ports, [aDelivery(record)]);
    expect((await changesOf(ports, family, () => ports.rates.refresh(MOMENT))).ids).toEqual([record.id]);
  });

  test('the rate counts deliveries at the first attempt and after retries', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [
      aDelivery(record, { successes: 90, successesOnRetry: 5, failures: 3 }),
      aDelivery(record, { successes: 2_147_483_647, successesOnRetry: 0, failures: 2_147_483_647 }),
    ]);
    expect(await ports.rates.refresh(MOMENT)).toBe(1);
    expect((await ports.records.find(record)).value).toEqual({ ...record, deliveryRate: '0.5000' });
  });

  test('a rate whose displayed value changes bumps the family version once, and no record version', async (ports) => {
    const family = await aFamily(ports, 'pipeline_transformation_configs');
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    const before = await countersOf(ports, family);
    await ingest(ports, [aDelivery(record), aDelivery(sister)]);
    expect(await countersOf(ports, family)).toEqual(before);
    expect(await ports.rates.refresh(MOMENT)).toBe(2);
    expect(await countersOf(ports, family)).toEqual({ ...before, familyVersion: before.familyVersion + 1 });
  });

  test('a rate whose displayed value stays the same bumps no version', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    await ingest(ports, [aDelivery(record)]);
    await ports.rates.refresh(MOMENT);
    const before = await countersOf(ports, family);
    await ingest(ports, [aDelivery(record, { successes: 1000 })]);
    expect(await ports.rates.refresh(MOMENT)).toBe(0);
    expect(await ports.rates.refresh(later(60_000))).toBe(0);
    expect(await countersOf(ports, family)).toEqual(before);
  });

  test('deliveries older than a day no longer count', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [
      aDelivery(record, { timestamp: MOMENT.getTime() - 25 * HOUR_MS, failures: 100 }),
      aDelivery(record, { timestamp: MOMENT.getTime() - 23 * HOUR_MS, successes: 0, failures: 1 }),
      aDelivery(record),
    ]);
    const rateAt = async (at: Date): Promise<string | null | undefined> => {
      await ports.rates.refresh(at);
      return (await ports.records.find(record)).value?.deliveryRate;
    };
    expect(await rateAt(MOMENT)).toBe('0.5000');
    expect(await rateAt(later(HOUR_MS - SPAN_MS))).toBe('0.5000');
    expect(await rateAt(later(HOUR_MS + SPAN_MS))).toBe('1.0000');
    expect(await rateAt(later(DAY_MS - SPAN_MS))).toBe('1.0000');
    expect(await rateAt(later(DAY_MS + SPAN_MS))).toBeNull();
    expect(await rateAt(later(9 * DAY_MS))).toBeNull();
  });

  test('a rate that was lost while the clock was ahead is shown again once the clock is corrected', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [aDelivery(record)]);
    const rateAt = async (at: Date): Promise<string | null | undefined> => {
      await ports.rates.refresh(at);
      return (await ports.records.find(record)).value?.deliveryRate;
    };
    expect(await rateAt(MOMENT)).toBe('1.0000');
    expect(await rateAt(later(25 * HOUR_MS))).toBeNull();
    expect(await rateAt(later(SPAN_MS))).toBe('1.0000');
  });

  test('deliveries with a future time count from that time on', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [aDelivery(record, { timestamp: MOMENT.getTime() + HOUR_MS })]);
    expect(await ports.rates.refresh(MOMENT)).toBe(0);
    expect(await ports.rates.refresh(later(HOUR_MS))).toBe(1);
    expect((await ports.records.find(record)).value?.deliveryRate).toBe('1.0000');
  });

  test('reports that arrive during a refresh of the rates are not lost', async (ports) => {
    const family = await aFamily(ports);
    const records = await Promise.all(Array.from({ length: 5 }, () => aRecord(ports, family)));
    const rounds = Array.from({ length: 20 }, (_, round) => [
      ingest(
        ports,
        records.map((record) => aDelivery(record, { successes: 1, failures: round % 2 })),
      ),
      ports.rates.refresh(MOMENT),
    ]);
    await Promise.all(rounds.flat());
    await ports.rates.refresh(MOMENT);
    for (const record of records) {
      expect((await ports.records.find(record)).value?.deliveryRate).toBe('0.6667');
    }
  });
}
