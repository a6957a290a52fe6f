import type { EntryKey } from '@plugin-config/domain';

/** The condition on a log's entries, with the parameters `record` and `project`. */
export const OF_LOG = 'record_id = {record:UInt64} and project_id = {project:UInt64}';

/** A time as the server reads it. */
export function momentText(time: number): string {
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** A day as the server reads it. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

type Key = EntryKey & { readonly recordId: number };

/** A table of keys within a query. Numbers, times and ids need no quoting. */
export function keyTable(keys: readonly Key[]): string {
  const lines = keys.map(
    ({ recordId, timestamp, id }) => `[${recordId},"${momentText(timestamp.getTime())}","${id}"]`,
  );
  const structure = `record_id UInt64, timestamp DateTime64(3, \\'UTC\\'), id UUID`;
  return `format(JSONCompactEachRow, '${structure}', '${lines.join('\n')}')`;
}

/** Continues a condition on the partitions that hold these keys. */
export function spanOf(keys: readonly EntryKey[]): string {
  let [first, last] = [Infinity, -Infinity];
  for (const { timestamp } of keys) {
    first = Math.min(first, timestamp.getTime());
    last = Math.max(last, timestamp.getTime());
  }
  return `timestamp >= '${momentText(first)}' and timestamp <= '${momentText(last)}'`;
}
