import type { EntryKey, LogEntry } from '@plugin-config/domain';
import type { ClickHouse } from '../server/clickhouse.ts';
import { findSizes, keysThatFit, entryName, readEntries } from './read-entries.ts';
import { isStorableTime } from './wanted-entries.ts';

const LIMITS = { timeLimitMs: 5_000 };

/** Looks up entries by their keys: first their sizes, then as many of them as fit. */
export async function findEntries(
  clickHouse: ClickHouse,
  record: { readonly projectId: number; readonly id: number },
  keys: readonly EntryKey[],
  maxBytes: number,
): Promise<readonly LogEntry[]> {
  const possible = keys.filter(({ timestamp }) => isStorableTime(timestamp.getTime()));
  if (possible.length === 0) return [];
  const sizes = await findSizes(clickHouse, record, possible, LIMITS);
  const stored = keys.flatMap((key) => sizes.get(entryName(key)) ?? []);
  return readEntries(clickHouse, record, keysThatFit(stored, maxBytes), LIMITS);
}
