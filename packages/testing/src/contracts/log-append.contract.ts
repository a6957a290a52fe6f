import type { AppendOutcomes, ConfigRecord } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aLogEntry } from '../builders/a-log-entry.ts';
import { aRecord } from '../builders/a-record.ts';
import type { LogPorts } from '../log-ports.ts';
import { storeEntries } from '../store-entries.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY, logOf } from './log-of.ts';
import { WHOLE } from './read-state.ts';

const aRecordIn = async (ports: LogPorts): Promise<ConfigRecord> => aRecord(ports, await aFamily(ports));

const all = (outcome: AppendOutcomes[number], count: number): AppendOutcomes =>
  Array.from({ length: count }, () => outcome);

export function logAppendContract(test: TestWith<LogPorts>): void {
  test('entries are stored unchanged and once', async (ports) => {
    const record = await aRecordIn(ports);
    const entries = [
      aLogEntry(record, { message: 'é 🚀 \\ \n\t"', type: 'A_TYPE_OF_ITS_OWN' }),
      aLogEntry(record, { message: '', source: 'CONSOLE' }),
    ];
    expect(await storeEntries(ports, entries)).toEqual(['stored', 'stored']);
    expect(await storeEntries(ports, entries)).toEqual(all('duplicate', 2));
    expect(await logOf(ports, record)).toEqual(entries.toReversed());
    expect(await storeEntries(ports, [])).toEqual([]);
  });

  for (const count of [10, 200]) {
    test(`duplicates among ${count} entries are reported`, async (ports) => {
      const record = await aRecordIn(ports);
      const entries = Array.from({ length: count }, () => aLogEntry(record));
      const isKnown = (i: number): boolean => i % 3 === 0;
      await storeEntries(
        ports,
        entries.filter((_, i) => isKnown(i)),
      );
      const expected = entries.map((_, i) => (isKnown(i) ? 'duplicate' : 'stored'));
      expect(await storeEntries(ports, entries)).toEqual(expected);
      expect(await storeEntries(ports, entries.toReversed())).toEqual(all('duplicate', count));
      expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(count);
    });
  }

  test('the first of two entries with one identity is stored', async (ports) => {
    const record = await aRecordIn(ports);
    const entry = aLogEntry(record, { message: 'first' });
    const twin = { ...entry, message: 'second', type: 'ERROR' };
    expect(await storeEntries(ports, [entry, twin, entry])).toEqual(['stored', 'duplicate', 'duplicate']);
    expect(await logOf(ports, record)).toEqual([entry]);
  });

  test('the same id at another time, or for another record, is a different entry', async (ports) => {
    const [record, sister] = [await aRecordIn(ports), await aRecordIn(ports)];
    const entry = aLogEntry(record);
    const later = { ...entry, timestamp: new Date(entry.timestamp.getTime() + 1) };
    const others = [later, { ...entry, recordId: sister.id, projectId: sister.projectId }];
    expect(await storeEntries(ports, [entry, ...others])).toEqual(all('stored', 3));
    expect(await logOf(ports, record)).toEqual([later, entry]);
    expect(await logOf(ports, sister)).toHaveLength(1);
  });

  for (const others of [3, 100]) {
    test(`a text that cannot be stored is rejected, next to ${others} others`, async (ports) => {
      const record = await aRecordIn(ports);
      const entries = Array.from({ length: others }, () => aLogEntry(record));
      const culprit = aLogEntry(record, { message: 'a\0b' });
      await expect(storeEntries(ports, [...entries, culprit])).rejects.toMatchObject({
        name: 'DomainError',
        code: 'invalid_input',
      });
      await storeEntries(ports, entries);
      expect((await ports.logs.page(record, EVERY, WHOLE)).count).toBe(others);
    });
  }
}
