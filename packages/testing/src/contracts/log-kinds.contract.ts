import { DAY_MS, type EntryMessage, ingest, type LogFilter } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY } from './log-of.ts';
import { seededPick, type Pick } from './seeded-pick.ts';

const ENTRIES = 4000;
const QUERIES = 12;
const KNOWN_SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE'];
const KNOWN_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'];

/** How many additional sources and types there are, for more kinds than any store counts separately. */
const WORDS: Readonly<Record<string, { readonly sources: number; readonly types: number }>> = {
  'ids for types': { sources: 0, types: 3000 },
  'ids for both': { sources: 300, types: 300 },
};

const wordOf = (pick: Pick, known: readonly string[], own: number): string =>
  (pick(3) > 0 && own > 0 ? `ID_${pick(own)}` : known[pick(known.length)]) ?? '';

function aFilter(pick: Pick, entries: readonly EntryMessage[]): LogFilter {
  const some = (): EntryMessage | undefined => entries[pick(pick(2) === 0 ? 200 : entries.length)];
  const moment = (): Date | null => {
    const entry = some();
    return pick(3) > 0 || entry === undefined ? null : new Date(entry.timestamp + pick(3) - 1);
  };
  const type = (): string => [some()?.type, KNOWN_TYPES[pick(5)], 'NOWHERE'][pick(9) % 3] ?? 'LOG';
  const source = [null, some()?.source, KNOWN_SOURCES[pick(3)], 'NOWHERE'][pick(4)] ?? null;
  return {
    ...EVERY,
    types: Array.from({ length: [0, 1, 1, 3, 20][pick(5)] ?? 0 }, type),
    source,
    after: moment(),
    before: moment(),
    search: pick(6) === 0 ? '1' : null,
  };
}

function fits({ timestamp, type, source, message }: EntryMessage, filter: LogFilter): boolean {
  return (
    (filter.types.length === 0 || filter.types.includes(type)) &&
    (filter.source === null || filter.source === source) &&
    (filter.after === null || timestamp > filter.after.getTime()) &&
    (filter.before === null || timestamp < filter.before.getTime()) &&
    (filter.search === null || message.includes(filter.search))
  );
}

function newestFirst(a: EntryMessage, b: EntryMessage): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1);
}

/** Compares random pages of a log that has many sources and types with filtering in memory. */
export function logKindsContract(test: TestWith<LogPorts>): void {
  for (const [seed, [name, own]] of Object.entries(WORDS).entries()) {
    test(`the pages and newest keys of a log that has ${name} match sorting and counting in memory`, async (ports) => {
      const pick = seededPick(seed + 100);
      const record = await aRecord(ports, await aFamily(ports));
      const entries = Array.from({ length: ENTRIES }, (_, i) =>
        anEntry(record, {
          timestamp: MOMENT.getTime() - pick(2 * DAY_MS),
          source: wordOf(pick, KNOWN_SOURCES, own.sources),
          type: wordOf(pick, KNOWN_TYPES, own.types),
          message: `message ${i}`,
        }),
      );
      const left = [...entries];
      while (left.length > 0) {
        const batches = Array.from({ length: 1 + pick(3) }, () => left.splice(0, 1 + pick(700)));
        await Promise.all(batches.map((batch) => ingest(ports, batch)));
      }
      const sorted = entries.toSorted(newestFirst);
      for (let query = 0; query < QUERIES; query++) {
        const filter = aFilter(pick, entries);
        const fitting = sorted.filter((entry) => fits(entry, filter));
        const page = { limit: 1 + pick(60), offset: pick(2) * pick(fitting.length + 5) };
        const { count, items } = await ports.logs.page(record, filter, page);
        const shown = items.map(({ id, source, type }) => [id, source, type]);
        const expected = fitting.slice(page.offset, page.offset + page.limit);
        expect({ filter, page, count, shown }).toEqual({
          filter,
          page,
          count: fitting.length,
          shown: expected.map(({ id, source, type }) => [id, source, type]),
        });
        const keys = await ports.logs.newestKeys(record, filter, 500);
        expect(keys.map(({ id }) => id)).toEqual(fitting.slice(0, 500).map(({ id }) => id));
      }
    });
  }
}
