import type { SeparateLog } from '@plugin-config/domain';
import type { ClickHouse } from '../server/clickhouse.ts';
import { appendEntries } from './append-entries.ts';
import { dropPartitions } from './drop-partitions.ts';
import { findEntries } from './find-entries.ts';
import { limitedReads } from './limited-reads.ts';

const SEARCH_TIMEOUT_MS = 5_000;

interface Dependencies {
  readonly clickHouse: ClickHouse;
  /** The time limit of a page. */
  readonly searchTimeoutMs?: number;
}

export function clickHouseLog({
  clickHouse,
  searchTimeoutMs = SEARCH_TIMEOUT_MS,
}: Dependencies): SeparateLog {
  return {
    append: (entries, announcing) => appendEntries(clickHouse, entries, announcing),
    ...limitedReads({ clickHouse, searchTimeoutMs }),
    find: (record, keys, maxBytes) => findEntries(clickHouse, record, keys, maxBytes),
    dropBefore: (day) => dropPartitions(clickHouse, day),
  };
}
