import { utf8Length } from '../kernel/text.ts';
import type { LogEntry } from '../log/log-entry.ts';
import {
  fits,
  isLimited,
  NO_QUOTA,
  NOTHING,
  sumOf,
  type LogAmount,
  type LogQuota,
} from '../usage/log-quota.ts';
import type { BatchStores } from './ingestion-stores.ts';

const NONE: ReadonlySet<number> = new Set();

/** The quotas of projects, by id. */
export type Quotas = ReadonlyMap<number, LogQuota>;

/**
 * Finds the entries of a batch that the quotas have no room for, by their index. Duplicates need no room. Locks the usage of the
 * projects that have a quota until the batch ends, so no other batch uses the same room.
 */
export async function entriesOverQuota(
  { usage, log }: Pick<BatchStores, 'usage' | 'log'>,
  entries: readonly LogEntry[],
  quotas: Quotas,
): Promise<ReadonlySet<number>> {
  if (![...quotas.values()].some(isLimited)) return NONE;
  const sent = amountsOf(entries);
  const limited = [...sent.keys()].filter((id) => isLimited(quotaIn(quotas, id))).toSorted((a, b) => a - b);
  if (limited.length === 0) return NONE;
  const used = await usage.lock(limited);
  const tight = new Set(
    limited.filter(
      (id) => !fits(sumOf(used.get(id) ?? NOTHING, sent.get(id) ?? NOTHING), quotaIn(quotas, id)),
    ),
  );
  if (tight.size === 0) return NONE;
  const indexes = [...entries.keys()].filter((index) => tight.has(entries[index]?.projectId ?? 0));
  const stored = await log.areStored(indexes.flatMap((index) => entries[index] ?? []));
  const candidates = indexes.filter((_, at) => stored[at] !== true);
  return withoutRoom(entries, candidates, { used, quotas });
}

function amountsOf(entries: readonly LogEntry[]): ReadonlyMap<number, LogAmount> {
  const sums = new Map<number, LogAmount>();
  for (const entry of entries) {
    sums.set(entry.projectId, sumOf(sums.get(entry.projectId) ?? NOTHING, amountOf(entry)));
  }
  return sums;
}

interface Room {
  readonly used: ReadonlyMap<number, LogAmount>;
  readonly quotas: Quotas;
}

/** Each entry gets room in its turn if there is enough for it. An entry that occurs again is a duplicate. */
function withoutRoom(
  entries: readonly LogEntry[],
  candidates: readonly number[],
  { used, quotas }: Room,
): ReadonlySet<number> {
  const sums = new Map(used);
  const over = new Set<number>();
  const decided = new Map<string, boolean>();
  for (const index of candidates) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const { projectId, recordId, timestamp, id } = entry;
    const key = `${recordId} ${timestamp.getTime()} ${id}`;
    const next = sumOf(sums.get(projectId) ?? NOTHING, amountOf(entry));
    const hasRoom = decided.get(key) ?? fits(next, quotaIn(quotas, projectId));
    if (!hasRoom) over.add(index);
    else if (!decided.has(key)) sums.set(projectId, next);
    decided.set(key, hasRoom);
  }
  return over;
}

/** What an entry takes. */
export function amountOf({ message }: LogEntry): LogAmount {
  return { entries: 1, bytes: utf8Length(message) };
}

function quotaIn(quotas: Quotas, projectId: number): LogQuota {
  return quotas.get(projectId) ?? NO_QUOTA;
}
