import { ARRIVALS_MAX, type LogArrival, type LogPosition, type LogRef } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { OF_OWN_PROJECT } from '../entities/of-own-project.ts';
import { ROW_ENTRIES } from './add-arrivals.ts';

const ARRIVALS = columns((row) => ({
  first: row.number('a.first'),
  last: row.number('a.last'),
  times: row.text(`array_to_string(a.times, ',')`),
  ids: row.text(`array_to_string(a.ids, ',')`),
}));

const POSITION = columns((row) => ({ item: row.number('t.item'), number: row.number('f.number') }));

/**
 * The number of the last arrival of each log, and its oldest arrivals after a position. The numbers have no gaps, so they
 * tell which rows have these; the limit of `last` bounds the range of the index.
 */
export const READ_ARRIVALS: Statement = {
  name: 'read_log_arrivals',
  text: `select ${POSITION.sql}, ${ARRIVALS.sql}
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
    with ordinality t (record_id, project_id, epoch, number, item)
  ${OF_OWN_PROJECT('t')}
  cross join lateral (select * from log_follow f where f.record_id = t.record_id and f.epoch = t.epoch) f
  left join lateral (
    select * from log_arrival a
    where a.record_id = t.record_id and a.epoch = t.epoch and a.last > t.number
      and a.last < t.number + ${ARRIVALS_MAX + ROW_ENTRIES} and a.first <= t.number + ${ARRIVALS_MAX}
  ) a on true
  order by t.item, a.last`,
};

export interface ArrivalsQuestion {
  readonly log: LogRef;
  readonly position: LogPosition;
}

/** The oldest arrivals after each position; null as `LogArrivals.after` says. */
export async function readArrivals(
  { pool, primary }: Pick<Database, 'pool' | 'primary'>,
  questions: readonly ArrivalsQuestion[],
): Promise<readonly (readonly LogArrival[] | null)[]> {
  const parameters = [
    questions.map(({ log }) => log.id),
    questions.map(({ log }) => log.projectId),
    questions.map(({ position }) => position.epoch),
    questions.map(({ position }) => position.number),
  ];
  const rows = await run(pool, READ_ARRIVALS, parameters);
  const { lineage } = primary;
  const byItem = Map.groupBy(rows, (row) => POSITION.read(row).item);
  return questions.map(({ position }, at) => {
    const own = byItem.get(at + 1);
    return own === undefined || position.lineage !== lineage ? null : arrivalsAfter(position.number, own);
  });
}

/** Null if an arrival after the position is missing. */
function arrivalsAfter(after: number, rows: readonly Cells[]): readonly LogArrival[] | null {
  const found: LogArrival[] = [];
  let next = after + 1;
  for (const row of rows) {
    const arrivals = ARRIVALS.readOrNull(row, POSITION.names.length);
    if (arrivals === null) return POSITION.read(row).number === after ? [] : null;
    if (arrivals.first > next) return null;
    for (const arrival of arrivalsIn(arrivals)) if (arrival.number >= next) found.push(arrival);
    next = arrivals.last + 1;
  }
  return found.slice(0, ARRIVALS_MAX);
}

function arrivalsIn({ first, times, ids }: ReturnType<typeof ARRIVALS.read>): LogArrival[] {
  const moments = times.split(',').map(Number);
  return ids.split(',').map((id, at) => {
    return { number: first + at, id, timestamp: new Date(moments[at] ?? 0) };
  });
}
