import { DAY_MS, ingest, moveLog, type LogEntry } from '@plugin-config/domain';
import { aFamily, anEntry, aRecord, logOf, MOMENT } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { postgresLogExport } from './postgres-log-export.ts';

const withEmptied = databaseOfFile();

const TODAY = MOMENT.getTime();
const YESTERDAY = TODAY - DAY_MS;

/** A store that remembers what was appended, and fails from the given number of calls on. */
function target(failsAfter = Infinity) {
  const entries: LogEntry[] = [];
  let calls = 0;
  return {
    entries,
    append: async (portion: readonly LogEntry[]) => {
      if (calls++ >= failsAfter) throw new Error('The store is away.');
      entries.push(...portion);
      return portion.map(() => 'stored' as const);
    },
  };
}

function byId(entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

test('every entry of every log is exported as it is listed, the newest day first', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const source = postgresLogExport(database);
    const [one, other] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    await ingest(ports, [
      anEntry(one, { timestamp: TODAY, source: 'CONSOLE', type: 'ERROR', message: 'x'.repeat(50_000) }),
      anEntry(one, { timestamp: YESTERDAY }),
      anEntry(other, { timestamp: TODAY, type: 'CUSTOM' }),
      anEntry(other, { timestamp: YESTERDAY + 1 }),
      anEntry(other, { timestamp: YESTERDAY + 2 }),
    ]);
    const days = await source.unexportedDays();
    expect(days.map(({ entries }) => entries)).toEqual([2, 3]);
    const { entries, append } = target();
    expect(await moveLog({ source, target: { append } })).toBe(5);
    expect(byId(entries)).toEqual(byId([...(await logOf(ports, one)), ...(await logOf(ports, other))]));
    expect(entries.slice(0, 2).map(({ timestamp }) => timestamp)).toEqual([MOMENT, MOMENT]);
    expect(await source.unexportedDays()).toEqual([]);
  }));

test('what a store refused is exported again, and nothing else', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const source = postgresLogExport(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY }), anEntry(record, { timestamp: YESTERDAY })]);
    const first = target(1);
    await expect(moveLog({ source, target: first })).rejects.toThrow('away');
    const second = target();
    expect(await moveLog({ source, target: second })).toBe(1);
    expect(byId([...first.entries, ...second.entries])).toEqual(byId(await logOf(ports, record)));
  }));

test('entries that arrive after the export of their day are exported by the next one', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const source = postgresLogExport(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY })]);
    await moveLog({ source, target: target() });
    await ingest(ports, [anEntry(record, { timestamp: TODAY - 1, message: 'late' })]);
    const { entries, append } = target();
    await moveLog({ source, target: { append } });
    expect(entries.map(({ message }) => message)).toContain('late');
    expect(await source.unexportedDays()).toEqual([]);
  }));

test('progress is told by the entries of the day', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const source = postgresLogExport(database);
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY })]);
    const told: object[] = [];
    await moveLog({ source, target: target() }, (progress) => told.push(progress));
    expect(told).toEqual([expect.objectContaining({ copied: 1, entries: 1 })]);
  }));
