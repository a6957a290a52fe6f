import { DAY_MS, ingest, moveLog, type LogEntry, type LogExport } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { logOf } from './log-of.ts';

/** The ports of a store whose logs can be exported. */
export interface ExportPorts extends LogPorts {
  readonly source: LogExport;
}

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

export function logExportContract(test: TestWith<ExportPorts>): void {
  test('every entry of every log is exported as it is listed, the newest day first', async (ports) => {
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
    const days = await ports.source.unexportedDays();
    expect(days.map(({ entries }) => entries)).toEqual([2, 3]);
    const { entries, append } = target();
    expect(await moveLog({ source: ports.source, target: { append } })).toBe(5);
    expect(byId(entries)).toEqual(byId([...(await logOf(ports, one)), ...(await logOf(ports, other))]));
    expect(entries.slice(0, 2).map(({ timestamp }) => timestamp)).toEqual([MOMENT, MOMENT]);
    expect(await ports.source.unexportedDays()).toEqual([]);
  });

  test('what a store refused is exported again, and nothing else', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY }), anEntry(record, { timestamp: YESTERDAY })]);
    const first = target(1);
    await expect(moveLog({ source: ports.source, target: first })).rejects.toThrow('away');
    const second = target();
    expect(await moveLog({ source: ports.source, target: second })).toBe(1);
    expect(byId([...first.entries, ...second.entries])).toEqual(byId(await logOf(ports, record)));
  });

  test('entries that arrive after the export of their day are exported by the next one', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY })]);
    await moveLog({ source: ports.source, target: target() });
    await ingest(ports, [anEntry(record, { timestamp: TODAY - 1, message: 'late' })]);
    const { entries, append } = target();
    await moveLog({ source: ports.source, target: { append } });
    expect(entries.map(({ message }) => message)).toContain('late');
    expect(await ports.source.unexportedDays()).toEqual([]);
  });

  test('progress is told by the entries of the day', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ingest(ports, [anEntry(record, { timestamp: TODAY })]);
    const told: object[] = [];
    await moveLog({ source: ports.source, target: target() }, (progress) => told.push(progress));
    expect(told).toEqual([expect.objectContaining({ copied: 1, entries: 1 })]);
  });
}
