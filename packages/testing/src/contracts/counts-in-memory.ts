import { DAY_MS, type EntryMessage, type LogCount, type LogRange } from '@plugin-config/domain';

const HOUR_MS = 3_600_000;
const KNOWN: ReadonlySet<string> = new Set(['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR']);

interface Wanted {
  readonly types: readonly string[];
  readonly source: string | null;
}

/** A model of `LogCounts`: counts each entry. */
export function countsInMemory(
  entries: readonly EntryMessage[],
  { granularity, from, to }: LogRange,
  { types, source }: Wanted,
): readonly LogCount[] {
  const width = granularity === 'hour' ? HOUR_MS : DAY_MS;
  const wanted = entries.filter(
    (entry) =>
      entry.timestamp >= from &&
      entry.timestamp < to &&
      (source === null || entry.source === source) &&
      (types.length === 0 || types.includes(entry.type)),
  );
  return [...Map.groupBy(wanted, ({ timestamp }) => Math.floor(timestamp / width) * width)]
    .toSorted(([a], [b]) => a - b)
    .map(([start, own]) => {
      const byType = Map.groupBy(own, ({ type }) => (KNOWN.has(type) ? type : 'other'));
      const sizes = [...byType].map(([type, { length }]) => [type, length] as const);
      return { start: new Date(start), count: own.length, types: Object.fromEntries(sizes) };
    });
}
