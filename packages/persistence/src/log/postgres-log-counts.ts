import type { CountedType, LogCount, LogCounts, LogRange } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Cells, type Statement } from '../postgres/statement.ts';
import { COUNT_OF, IS_KEPT } from './hours/hour-counts.ts';
import { COUNTED_TYPES, kindsOfType, sourceOffset } from './entries/kinds.ts';
import { OWN_LOG } from '../entities/families-in-sql.ts';
import { momentText } from './pages/clamp-moment.ts';

/** SQL for the count of a type in a bucket. $5 is the first kind of a source, or null for all sources. */
function countOfType(type: CountedType, place: number): string {
  const every = kindsOfType(type).map((kind) => COUNT_OF('h', kind));
  return `sum(case when $5::integer is null then ${every.join(' + ')} else h.counts[$5::integer + ${place + 1}] end)::bigint`;
}

const BUCKET = columns((row) => ({
  start: row.date(`date_trunc($4::text, h.hour, 'UTC')`),
  counts: COUNTED_TYPES.map((type, place) => ({ type, count: row.number(countOfType(type, place)) })),
}));

const countsOf = (table: string, condition: string): Statement => ({
  name: `count_${table}`,
  text: `select ${BUCKET.sql}
  from ${table} h
  where ${condition} and h.hour >= $2::timestamptz and h.hour < $3::timestamptz and ${IS_KEPT('h')}
  group by 1
  order by 1`,
});

export const LOG_COUNTS = countsOf('log_hour', `h.record_id = $1 and ${OWN_LOG('$1', '$6')}`);
export const PROJECT_LOG_COUNTS = countsOf('log_project_hour', 'h.project_id = $1');

export function postgresLogCounts({ pool }: Pick<Database, 'pool'>): LogCounts {
  return {
    ofLog: async ({ id, projectId }, range, { types, source }) => {
      const parameters = [id, ...boundsOf(range), sourceOffset(source), projectId];
      return bucketsIn(await run(pool, LOG_COUNTS, parameters), types);
    },
    ofProject: async (projectId, range, { types, source }) => {
      const parameters = [projectId, ...boundsOf(range), sourceOffset(source)];
      return bucketsIn(await run(pool, PROJECT_LOG_COUNTS, parameters), types);
    },
  };
}

function boundsOf({ granularity, from, to }: LogRange): readonly string[] {
  return [...[from, to].map(momentText), granularity];
}

function bucketsIn(rows: readonly Cells[], types: readonly string[]): readonly LogCount[] {
  return rows.flatMap((row) => {
    const { start, counts } = BUCKET.read(row);
    const wanted = counts.filter(
      ({ type, count }) => count > 0 && (types.length === 0 || types.includes(type)),
    );
    const count = wanted.reduce((sum, one) => sum + one.count, 0);
    const byType = Object.fromEntries(
      wanted.map((one) => [one.type, one.count] as const),
    ) as LogCount['types'];
    return count === 0 ? [] : { start, count, types: byType };
  });
}
