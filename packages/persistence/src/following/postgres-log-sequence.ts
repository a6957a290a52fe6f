import {
  SEQUENCE_READ_MAX,
  type LogPosition,
  type LogRef,
  type LogSequence,
  type SequencedEntry,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { prepared, run, shareStatements, type Cells } from '../postgres/statement.ts';
import { OF_OWN_PROJECT } from '../entities/families-in-sql.ts';
import { ROW_ENTRIES } from './add-to-sequence.ts';
import { followLogs } from './follow-logs.ts';

const WAIT_MAX_MS = 5_000;
const isTooLate = (_: unknown, waitedMs: number): boolean => waitedMs > WAIT_MAX_MS;

/** Shares statements among the logs that are followed or read at the same time. */
export function postgresLogSequence({ pool }: Pick<Database, 'pool'>): LogSequence {
  const follow = shareStatements<LogRef, LogPosition | null>({
    send: (logs) => followLogs({ pool }, logs),
    maxItems: 1000,
    maxConcurrent: 4,
    tenantOf: ({ projectId }) => projectId,
    isTooLate,
  });
  const read = shareStatements<SequenceQuery, readonly SequencedEntry[] | null>({
    send: (queries) => readSequence({ pool }, queries),
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

const SEQUENCE = columns((row) => ({
  first: row.number('a.first'),
  last: row.number('a.last'),
  times: row.text(`array_to_string(a.times, ',')`),
  ids: row.text(`array_to_string(a.ids, ',')`),
}));

const POSITION = columns((row) => ({ item: row.number('t.item'), number: row.number('f.number') }));

/**
 * Returns the last number of each log's sequence, and the rows with the oldest entries after a position. The numbers have no
 * gaps, so a range of numbers selects these rows; the upper bound of `last` limits the index scan.
 */
export const READ_SEQUENCE = prepared('read_log_sequence')`select ${POSITION.sql}, ${SEQUENCE.sql}
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
    with ordinality t (record_id, project_id, epoch, number, item)
  ${OF_OWN_PROJECT('t')}
  cross join lateral (select * from log_follow f where f.record_id = t.record_id and f.epoch = t.epoch) f
  left join lateral (
    select * from log_sequence a
    where a.record_id = t.record_id and a.epoch = t.epoch and a.last > t.number
      and a.last < t.number + ${SEQUENCE_READ_MAX + ROW_ENTRIES} and a.first <= t.number + ${SEQUENCE_READ_MAX}
  ) a on true
  order by t.item, a.last`;

interface SequenceQuery {
  readonly log: LogRef;
  readonly position: LogPosition;
}

/** Returns the oldest entries after each position; null as documented for `LogSequence.after`. */
async function readSequence(
  { pool }: Pick<Database, 'pool'>,
  queries: readonly SequenceQuery[],
): Promise<readonly (readonly SequencedEntry[] | null)[]> {
  const parameters = [
    queries.map(({ log }) => log.id),
    queries.map(({ log }) => log.projectId),
    queries.map(({ position }) => position.epoch),
    queries.map(({ position }) => position.number),
  ];
  const rows = await run(pool, READ_SEQUENCE, parameters);
  const byItem = Map.groupBy(rows, (row) => POSITION.read(row).item);
  return queries.map(({ position }, at) => {
    const found = byItem.get(at + 1);
    return found === undefined ? null : sequenceAfter(position.number, found);
  });
}

/** Returns null if an entry after the position is missing. */
function sequenceAfter(after: number, rows: readonly Cells[]): readonly SequencedEntry[] | null {
  const found: SequencedEntry[] = [];
  let next = after + 1;
  for (const row of rows) {
    const sequence = SEQUENCE.readOrNull(row, POSITION.names.length);
    if (sequence === null) return POSITION.read(row).number === after ? [] : null;
    if (sequence.first > next) return null;
    for (const entry of entriesIn(sequence)) if (entry.number >= next) found.push(entry);
    next = sequence.last + 1;
  }
  return found.slice(0, SEQUENCE_READ_MAX);
}

function entriesIn({ first, times, ids }: ReturnType<typeof SEQUENCE.read>): SequencedEntry[] {
  const moments = times.split(',').map(Number);
  return ids.split(',').map((id, at) => {
    return { number: first + at, id, timestamp: new Date(moments[at] ?? 0) };
  });
}
