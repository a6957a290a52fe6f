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

const NONE: ReadonlySet<LogEntry> = new Set();

export type Quotas = ReadonlyMap<number, LogQuota>;

/**
 * Returns the entries that exceed the quotas. Duplicates do not count. Locks the usage of projects
 * with a quota until the batch ends, so concurrent batches cannot exceed it together.
 */
export async function entriesOverQuota(
  { usage, log }: Pick<BatchStores, 'usage' | 'log'>,
  entries: readonly LogEntry[],
  quotas: Quotas,
): Promise<ReadonlySet<LogEntry>> {
  if (![...quotas.values()].some(isLimited)) return NONE;
  const sent = amountsOf(entries);
  const limited = [...sent.keys()].filter((id) => isLimited(quotaIn(quotas, id))).toSorted((a, b) => a - b);
  if (limited.length === 0) return NONE;
  const used = await usage.lock(limited);
  const exceeding = new Set(
    limited.filter(
      (id) => !fits(sumOf(used.get(id) ?? NOTHING, sent.get(id) ?? NOTHING), quotaIn(quotas, id)),
    ),
  );
  if (exceeding.size === 0) return NONE;
  const candidates = entries.filter(({ projectId }) => exceeding.has(projectId));
  const stored = await log.areStored(candidates);
  return overQuota(
    candidates.filter((_, at) => stored[at] !== true),
    { used, quotas },
  );
}

function amountsOf(entries: readonly LogEntry[]): ReadonlyMap<number, LogAmount> {
  const sums = new Map<number, LogAmount>();
  for (const entry of entries) {
    sums.set(entry.projectId, sumOf(sums.get(entry.projectId) ?? NOTHING, amountOf(entry)));
  }
  return sums;
}

interface Usage {
  readonly used: ReadonlyMap<number, LogAmount>;
  readonly quotas: Quotas;
}

/** Admits each entry in order if it still fits. A repeated entry is a duplicate, and does not count. */
function overQuota(candidates: readonly LogEntry[], { used, quotas }: Usage): ReadonlySet<LogEntry> {
  const sums = new Map(used);
  const over = new Set<LogEntry>();
  const decided = new Map<string, boolean>();
  for (const entry of candidates) {
    const { projectId, recordId, timestamp, id } = entry;
    const key = `${recordId} ${timestamp.getTime()} ${id}`;
    const next = sumOf(sums.get(projectId) ?? NOTHING, amountOf(entry));
    const isAdmitted = decided.get(key) ?? fits(next, quotaIn(quotas, projectId));
    if (!isAdmitted) over.add(entry);
    else if (!decided.has(key)) sums.set(projectId, next);
    decided.set(key, isAdmitted);
  }
  return over;
}

/** Returns how much an entry counts towards a quota. */
export function amountOf({ message }: LogEntry): LogAmount {
  return { entries: 1, bytes: utf8Length(message) };
}

function quotaIn(quotas: Quotas, projectId: number): LogQuota {
  return quotas.get(projectId) ?? NO_QUOTA;
}
