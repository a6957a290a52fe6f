import { DAY_MS, type EntryMessage, ingest, type LogFilter, startOfDay } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { EVERY } from './log-of.ts';
import { seededPick, type Pick } from './seeded-pick.ts';

const TODAY = startOfDay(MOMENT.getTime());
const SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE'];
const TYPES = ['LOG', 'LOG', 'LOG', 'LOG', 'INFO', 'INFO', 'WARN', 'ERROR', 'DEBUG'];
const RARE = 97;
const ENTRIES = 9000;
const QUERIES = 12;

interface Shape {
  readonly timeOf: (pick: Pick, i: number) => number;
  /** How many additional sources and types there are. */
  readonly sources: number;
  readonly types: number;
}

const overFourDays = (pick: Pick): number => TODAY - 2 * DAY_MS + pick(4 * DAY_MS);

const SHAPES: Readonly<Record<string, Shape>> = {
  'a steady stream across midnight': {
    timeOf: (pick, i) => TODAY - 3_600_000 + i * 900 + pick(5000),
    sources: 0,
    types: 0,
  },
  'a crowd within a few milliseconds': {
    timeOf: (pick) => TODAY + 50_000_000 + pick(3),
    sources: 0,
    types: 0,
  },
  'anything over four days': { timeOf: overFourDays, sources: 0, types: 0 },
  // More kinds than any store counts separately.
  'entries with ids for types': { timeOf: overFourDays, sources: 0, types: 3000 },
  'entries with ids for sources and types': { timeOf: overFourDays, sources: 300, types: 300 },
};

function entriesOf(pick: Pick, { timeOf, sources, types }: Shape): readonly EntryMessage[] {
  return Array.from({ length: ENTRIES }, (_, i) =>
    anEntry(
      { id: 0 },
      {
        id: `${hex(pick, 8)}-${hex(pick, 4)}-4${hex(pick, 3)}-8${hex(pick, 3)}-${hex(pick, 12)}`,
        timestamp: timeOf(pick, i),
        source: wordOf(pick, SOURCES, sources),
        type: pick(RARE) === 0 ? 'RARE' : wordOf(pick, TYPES, types),
        message: `message ${i}`,
      },
    ),
  );
}

function hex(pick: Pick, digits: number): string {
  return pick(16 ** digits)
    .toString(16)
    .padStart(digits, '0');
}

function wordOf(pick: Pick, known: readonly string[], own: number): string {
  return (own > 0 && pick(3) > 0 ? `ID_${pick(own)}` : known[pick(known.length)]) ?? '';
}

/** Stores the entries in batches of random size, some concurrently and some twice. */
async function store(ports: LogPorts, entries: readonly EntryMessage[], pick: Pick): Promise<void> {
  const left = [...entries];
  while (left.length > 0) {
    const batches = Array.from({ length: 1 + pick(3) }, () => left.splice(0, 1 + pick(2500)));
    if (pick(3) === 0) batches.push(batches[0]?.slice(0, 300) ?? []);
    await Promise.all(batches.map((batch) => ingest(ports, batch)));
  }
}

function aFilter(pick: Pick, entries: readonly EntryMessage[]): LogFilter {
  const some = (): EntryMessage | undefined => entries[pick(pick(2) === 0 ? 200 : entries.length)];
  const moment = (): Date | null => {
    const entry = some();
    return pick(3) > 0 || entry === undefined ? null : new Date(entry.timestamp + pick(3) - 1);
  };
  const type = (): string => [some()?.type, TYPES[pick(TYPES.length)], 'RARE', 'NOWHERE'][pick(4)] ?? 'LOG';
  return {
    ...EVERY,
    types: Array.from({ length: [0, 0, 1, 1, 3, 20][pick(6)] ?? 0 }, type),
    source: [null, null, some()?.source, SOURCES[pick(3)], 'NOWHERE'][pick(5)] ?? null,
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

function keyText({ timestamp, id }: { readonly timestamp: Date | number; readonly id: string }): string {
  return `${Number(timestamp)} ${id}`;
}

function newestFirst(a: EntryMessage, b: EntryMessage): number {
  return b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1);
}

/** Compares random pages of logs with sorting and filtering in memory. */
export function logPagesContract(test: TestWith<LogPorts>): void {
  for (const [seed, [name, shape]] of Object.entries(SHAPES).entries()) {
    test(`the pages and newest keys of ${name} match sorting and counting in memory`, async (ports) => {
      const pick = seededPick(seed + 1);
      const family = await aFamily(ports);
      const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
      const entries = entriesOf(pick, shape).map((entry, i) => ({
        ...entry,
        recordId: (i % 6 === 1 ? sister : record).id,
      }));
      await store(ports, entries, pick);
      const own = entries.filter(({ recordId }) => recordId === record.id).toSorted(newestFirst);
      for (let query = 0; query < QUERIES; query++) {
        const filter = aFilter(pick, entries);
        const fitting = own.filter((entry) => fits(entry, filter));
        const page = { limit: 1 + pick(120), offset: pick(2) * pick(fitting.length + 50) };
        const { count, items } = await ports.logs.page(record, filter, page);
        const expected = fitting.slice(page.offset, page.offset + page.limit);
        expect({ filter, page, count }).toEqual({ filter, page, count: fitting.length });
        expect(items.map(({ id, source, type }) => [id, source, type])).toEqual(
          expected.map(({ id, source, type }) => [id, source, type]),
        );
        const place = pick(fitting.length);
        const entry = fitting[place];
        if (entry !== undefined) {
          const key = { id: entry.id, timestamp: new Date(entry.timestamp) };
          expect({ filter, before: await ports.logs.countBefore(record, filter, key) }).toEqual({
            filter,
            before: place,
          });
          expect(await ports.logs.findKey(record, entry.id)).toEqual(key);
        }
        const most = 1 + pick(2000);
        const keys = await ports.logs.newestKeys(record, filter, most);
        expect(keys.map(keyText)).toEqual(fitting.slice(0, most).map(keyText));
      }
    });
  }
}
