import type { SequencedEntry, LogSequence, LogPosition, LogRef } from '@plugin-config/domain';
import { shareStatements } from '../postgres/share-statements.ts';
import type { Database } from '../postgres/database.ts';
import { followLogs } from './follow-logs.ts';
import { readSequence, type SequenceQuery } from './read-sequence.ts';

const WAIT_MAX_MS = 5_000;
const isTooLate = (_: unknown, waitedMs: number): boolean => waitedMs > WAIT_MAX_MS;

/** Shares statements among the logs that are followed or read at the same time. */
export function postgresLogSequence({ pool, primary }: Pick<Database, 'pool' | 'primary'>): LogSequence {
  const follow = shareStatements<LogRef, LogPosition | null>({
    send: (logs) => followLogs({ pool, primary }, logs),
    maxItems: 1000,
    maxConcurrent: 4,
    tenantOf: ({ projectId }) => projectId,
    isTooLate,
  });
  const read = shareStatements<SequenceQuery, readonly SequencedEntry[] | null>({
    send: (queries) => readSequence({ pool, primary }, queries),
    maxItems: 50,
    maxConcurrent: 2,
    tenantOf: ({ log }) => log.projectId,
    isTooLate,
  });
  return {
    follow: (logs) => Promise.all(logs.map(follow)),
    after: (log, position) => read({ log, position }),
  };
}
