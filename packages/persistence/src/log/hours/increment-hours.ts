import type pg from 'pg';
import { prepared, run } from '../../postgres/statement.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { startOfHour, SUMS } from './hour-counts.ts';
import { KINDS } from '../entries/kinds.ts';

const INCREMENT_HOURS = prepared('increment_log_hours')`with incremented as (
    insert into log_hour as h (record_id, hour, counts)
    select t.record_id, t.hour, t.counts::integer[]
    from unnest($1::bigint[], $2::timestamptz[], $3::text[]) t (record_id, hour, counts)
    on conflict (record_id, hour) do update set counts = ${SUMS('h', 'excluded')}
  )
  insert into log_project_delta (project_id, hour, counts)
  select t.project_id, t.hour, t.counts::integer[]
  from unnest($4::bigint[], $5::timestamptz[], $6::text[]) t (project_id, hour, counts)`;

interface Increment {
  readonly owner: number;
  readonly hour: number;
  readonly counts: number[];
}

type CountedRow = EntryRow & { readonly projectId: number };

/** Adds the inserted rows to the counters of their hours. The rows must be sorted by key, so batches cannot deadlock. */
export async function incrementHours(client: pg.ClientBase, rows: readonly CountedRow[]): Promise<void> {
  const ofLogs = incrementsOf(rows, ({ recordId }) => recordId);
  const ofProjects = incrementsOf(rows, ({ projectId }) => projectId);
  await run(client, INCREMENT_HOURS, [...parametersOf(ofLogs), ...parametersOf(ofProjects)]);
}

/** Counts rows by owner, hour and kind, in the order of the rows. */
function incrementsOf(
  rows: readonly CountedRow[],
  ownerOf: (row: CountedRow) => number,
): readonly Increment[] {
  const increments = new Map<string, Increment>();
  for (const row of rows) {
    const [owner, hour] = [ownerOf(row), startOfHour(row.timestamp)];
    const key = `${owner} ${hour}`;
    let increment = increments.get(key);
    if (increment === undefined) {
      increment = { owner, hour, counts: Array.from({ length: KINDS }, () => 0) };
      increments.set(key, increment);
    }
    increment.counts[row.kind] = (increment.counts[row.kind] ?? 0) + 1;
  }
  return [...increments.values()];
}

function parametersOf(increments: readonly Increment[]): readonly (readonly (string | number)[])[] {
  return [
    increments.map(({ owner }) => owner),
    increments.map(({ hour }) => new Date(hour).toISOString()),
    increments.map(({ counts }) => `{${counts.join(',')}}`),
  ];
}
