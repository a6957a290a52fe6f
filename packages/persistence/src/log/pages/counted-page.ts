import type { LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { OWN_LOG } from '../../entities/families-in-sql.ts';
import { columns } from '../../postgres/columns.ts';
import { prepared, run } from '../../postgres/statement.ts';
import type { Kinds } from '../entries/kinds.ts';
import { HOUR_MS, IS_KEPT, MATCHES } from '../hours/hour-counts.ts';
import { countFrom } from './count-from.ts';
import type { PageOfEntries } from '../entries/entry-columns.ts';

/** The range of a page among the matching entries, newest first. Times are in milliseconds since 1970. */
export interface PageRange {
  /** Exclusive. */
  readonly to: number;
  /** The time of the oldest entry that can be on the page. */
  readonly earliest: number;
  /** The number of matches between `to` and the page. */
  readonly skip: number;
  readonly limit: number;
}

/** The number of entries outside of PostgreSQL from `before` or `after` to the end of the hour. */
export interface CopiedAtBounds {
  readonly before: number;
  readonly after: number;
}

interface CountedPage {
  readonly count: number;
  /** Null if the page is empty. */
  readonly range: PageRange | null;
}

/**
 * Finds the range of a page with the counters, which include the entries of both tiers. Reads the entries of at most two hours,
 * which contain `after` and `before`. The page itself may skip entries of a third hour.
 */
export async function countedPage(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter: { after, before }, page: { limit, offset } }: PageOfEntries,
  copied: CopiedAtBounds,
): Promise<CountedPage> {
  const newer =
    before === null ? 0 : copied.before + (await countFrom(client, record, kinds, before.getTime()));
  const start = await findStart(client, record, kinds, { skip: newer + offset, limit });
  const earliest = after === null ? null : after.getTime() + 1;
  const until =
    earliest === null ? start.total : copied.after + (await countFrom(client, record, kinds, earliest));
  const count = Math.max(0, until - newer);
  const wanted = Math.min(limit, count - offset);
  if (start.hour === null || wanted <= 0) return { count, range: null };
  const range = {
    to: start.hour.getTime() + HOUR_MS,
    earliest: Math.max(earliest ?? 0, start.lastHour?.getTime() ?? 0),
    skip: start.rest,
    limit: wanted,
  };
  return { count, range };
}

const START = columns((row) => ({
  /** The number of matches in the whole log. */
  total: row.number('coalesce(max(h.reached), 0)'),
  /** The hour with the first match that is not skipped; null if there is none. */
  hour: row.dateOrNull('max(h.hour) filter (where h.reached > $4::bigint)'),
  /** The number of matches to skip in this hour, from its end. */
  rest: row.number('$4::bigint - coalesce(max(h.reached) filter (where h.reached <= $4::bigint), 0)'),
  /** The hour that completes the page; null if the log has too few matches. */
  lastHour: row.dateOrNull('max(h.hour) filter (where h.reached >= $4::bigint + $5::bigint)'),
}));

/** Adds up the hours, newest first. */
const FIND_START = prepared('find_log_page_start')`select ${START.sql}
  from (
    select h.hour, (sum(${MATCHES('h', '$3')}) over (order by h.hour desc))::bigint as reached
    from log_hour h
    where h.record_id = $1 and ${OWN_LOG('$1', '$2')} and ${IS_KEPT('h')}
  ) h`;

type PageStart = ReturnType<typeof START.read>;

/** @param skip the number of newer matches that are not on the page */
async function findStart(
  client: pg.ClientBase,
  { id, projectId }: LogRef,
  kinds: Kinds,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<PageStart> {
  const [row] = await run(client, FIND_START, [id, projectId, kinds, skip, limit]);
  return row === undefined ? { total: 0, hour: null, rest: 0, lastHour: null } : START.read(row);
}
