import type { EntryKey } from '@plugin-config/domain';

/** Matches the entries of one log; needs the parameters `record` and `project`. */
export const OF_LOG = 'record_id = {record:UInt64} and project_id = {project:UInt64}';

/** Formats a time for a query. */
export function momentText(time: number): string {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** Formats a day for a query. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

type Key = EntryKey & { readonly recordId: number };

/** Returns a table expression with these keys. Their numbers, times and UUIDs need no escaping. */
export function keyTable(keys: readonly Key[]): string {
  const lines = keys.map(
    ({ recordId, timestamp, id }) => `[${recordId},"${momentText(timestamp.getTime())}","${id}"]`,
  );
  const structure = `record_id UInt64, timestamp DateTime64(3, \\'UTC\\'), id UUID`;
  return `format(JSONCompactEachRow, '${structure}', '${lines.join('\n')}')`;
}

/** Returns a condition that limits a query to the partitions of these keys. */
export function spanOf(keys: readonly EntryKey[]): string {
  let [first, last] = [Infinity, -Infinity];
  for (const { timestamp } of keys) {
    first = Math.min(first, timestamp.getTime());
    last = Math.max(last, timestamp.getTime());
  }
  return `timestamp >= '${momentText(first)}' and timestamp <= '${momentText(last)}'`;
}
