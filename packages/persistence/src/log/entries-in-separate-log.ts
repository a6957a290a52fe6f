import type { AppendOutcomes, LogEntry, SeparateLog } from '@plugin-config/domain';
import type pg from 'pg';
import { arrivalWriter } from '../following/add-arrivals.ts';
import {
  announceIn,
  findArrived,
  findUncommitted,
  entryName,
  type Followed,
} from '../following/announced-entries.ts';
import { TO_WRITE_LOGS } from './append-entries.ts';
import type { BatchEntries, EntryStorage } from './batch-entries.ts';

/** The transaction of a batch is idle while the separate log stores the entries. */
const IDLE_MS = 20_000;

/**
 * Stores the entries in a separate log, while the transaction of the batch is open.
 *
 * If the transaction then fails, the entries are stored, but they are no arrivals, and the repeated batch finds them as
 * duplicates. So each entry is stored with the id of an announcement, which is committed together with the arrivals. For a
 * duplicate whose announcement is not committed, the repeated batch adds the arrival.
 *
 * An entry of a log that nobody follows has an announcement too: the separate log may finish the insert late, after the
 * transaction has failed and after somebody has begun to follow the log.
 */
export function entriesInSeparateLog(log: SeparateLog): EntryStorage {
  return {
    begin: `${TO_WRITE_LOGS}; set local idle_in_transaction_session_timeout = ${IDLE_MS}`,
    entriesOf: (client, isUnfollowed) => batchEntries(log, client, isUnfollowed),
  };
}

function batchEntries(
  log: SeparateLog,
  client: pg.ClientBase,
  isUnfollowed: (recordId: number) => boolean,
): BatchEntries {
  let followed: Followed = new Map();
  /** The duplicates whose announcement is not committed. */
  const unannounced = new Set<string>();
  const { add } = arrivalWriter(client, isUnfollowed);

  const append = async (entries: readonly LogEntry[], earliest: number): Promise<AppendOutcomes> => {
    const outcomes: AppendOutcomes[number][] = entries.map(({ timestamp }) =>
      timestamp.getTime() < earliest ? 'too_old' : 'duplicate',
    );
    const indexes = firstOnes(entries).filter((index) => outcomes[index] === 'duplicate');
    const kept = indexes.flatMap((index) => entries[index] ?? []);
    if (kept.length === 0) return outcomes;
    const { announcement, logs } = await announceIn(
      client,
      recordIdsOf(kept).filter((id) => !isUnfollowed(id)),
    );
    followed = logs;
    /** For each entry that was stored before, the announcement that it was stored with. */
    const announcements = await log.append(kept, {
      announcement,
      isFollowed: (recordId) => logs.has(recordId),
    });
    const uncommitted = await findUncommitted(
      client,
      announcements.flatMap((stored) => stored ?? []),
    );
    for (const [at, index] of indexes.entries()) {
      const stored = announcements[at] ?? null;
      if (stored === null) outcomes[index] = 'stored';
      else if (uncommitted.has(stored) && kept[at] !== undefined) unannounced.add(entryName(kept[at]));
    }
    return outcomes;
  };

  return {
    append,
    arrivals: {
      add: async (entries, outcomes) => {
        const indexes = firstOnes(entries).filter((index) => {
          const entry = entries[index];
          if (entry === undefined || isUnfollowed(entry.recordId)) return false;
          return outcomes[index] === 'stored' || unannounced.has(entryName(entry));
        });
        const candidates = indexes.flatMap((index) => entries[index] ?? []);
        if (candidates.length === 0) return;
        const arrived = await findArrived(client, followed, {
          entries: candidates,
          isUncommitted: (entry) => unannounced.has(entryName(entry)),
        });
        const missing = candidates.filter((entry) => !arrived.has(entryName(entry)));
        await add(
          missing,
          missing.map(() => 'stored'),
        );
      },
    },
  };
}

/** The indexes of the first of equal entries. */
function firstOnes(entries: readonly LogEntry[]): readonly number[] {
  const seen = new Set<string>();
  return [...entries.keys()].filter((index) => {
    const entry = entries[index];
    if (entry === undefined || seen.has(entryName(entry))) return false;
    seen.add(entryName(entry));
    return true;
  });
}

function recordIdsOf(entries: readonly LogEntry[]): readonly number[] {
  return [...new Set(entries.map(({ recordId }) => recordId))];
}
