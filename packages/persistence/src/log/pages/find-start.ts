import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { blockBounds, DEPTH_WITHIN, type BlockBounds } from '../blocks/log-block.ts';
import { OWN_LOG } from '../kinds/own-log.ts';
import type { KindIndexes } from '../kinds/wanted-kinds.ts';

export const MATCHES = (block: string, kindIndexes: string): string => `(
  case when ${kindIndexes}::integer[] is null then ${block}.total
  else coalesce((select sum(${block}.counts[k.kind + 1]) from unnest(${kindIndexes}::integer[]) k (kind)), 0) end
)::bigint`;

const FOUND = columns((row) => ({
  day: row.date('day::timestamptz'),
  matches: row.number('matches'),
  prefix: row.textOrNull('prefix'),
  rest: row.number('rest'),
}));

/** Counts the matches of each day, and descends from the newest day to the block with the first match of the page. */
const FIND_START: Statement = {
  name: 'find_log_page_start',
  text: `with recursive day as materialized (
    select b.day, b.split, ${MATCHES('b', '$3')} as matches
    from log_block b
    where b.record_id = $1 and b.depth = 0 and ${OWN_LOG('$1', '$2')}
  ),
  descent (day, depth, prefix, split, rest) as (
    select d.day, 0, '' collate "C", d.split, ($4::bigint - d.newer)::bigint
    from (select day.*, sum(matches) over (order by day desc) - matches as newer from day) d
    where d.newer <= $4::bigint and $4::bigint < d.newer + d.matches
    union all
    select w.day, ${DEPTH_WITHIN('w.depth')}, c.prefix, c.split, (w.rest - c.newer)::bigint
    from descent w cross join lateral (
      select m.*, sum(m.matches) over (order by m.prefix desc) - m.matches as newer
      from (
        select b.prefix, b.split, ${MATCHES('b', '$3')} as matches
        from log_block b
        where b.record_id = $1 and b.day = w.day and b.depth = ${DEPTH_WITHIN('w.depth')}
          and b.prefix >= w.prefix || '0' and b.prefix < w.prefix || 'g'
      ) m
    ) c
    where w.split and c.newer <= w.rest and w.rest < c.newer + c.matches
  )
  select ${FOUND.sql} from (
    select day, matches, null as prefix, null as rest from day
    union all
    (select day, null, prefix, rest from descent order by depth desc limit 1)
  ) found`,
};

export interface LogDay {
  readonly start: number;
  readonly matches: number;
}

/** The start of a page: the block, and the number of matches to skip from its end. */
export interface PageStart {
  readonly bounds: BlockBounds;
  readonly rest: number;
}

export interface FoundStart {
  /** Newest first. */
  readonly days: readonly LogDay[];
  /** Null if no matches remain after the skipped ones. */
  readonly start: PageStart | null;
}

export async function findStart(
  client: pg.ClientBase,
  record: { readonly projectId: number; readonly id: number },
  kindIndexes: KindIndexes,
  skip: number,
): Promise<FoundStart> {
  const days: LogDay[] = [];
  let start: PageStart | null = null;
  for (const row of await run(client, FIND_START, [record.id, record.projectId, kindIndexes, skip])) {
    const { day, matches, prefix, rest } = FOUND.read(row);
    if (prefix === null) days.push({ start: day.getTime(), matches });
    else start = { bounds: blockBounds(day.getTime(), prefix), rest };
  }
  return { days: days.toSorted((a, b) => b.start - a.start), start };
}
