import type { LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import type { Kinds } from '../entries/kinds.ts';
import { HOUR_MS } from '../hours/hour-counts.ts';
import { countFrom } from './count-from.ts';
import type { PageOfEntries } from '../entries/entry-columns.ts';
import { findStart } from './find-start.ts';
import type { PageRange } from './page-range.ts';

/** The number of archived entries from `before` or `after` to the end of the hour. */
export interface ArchivedAtBounds {
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
 * those that contain `after` and `before`. The page itself may skip entries of a third hour.
 */
export async function countedPage(
  client: pg.ClientBase,
  record: LogRef,
  kinds: Kinds,
  { filter: { after, before }, page: { limit, offset } }: PageOfEntries,
  archived: ArchivedAtBounds,
): Promise<CountedPage> {
  const newer =
    before === null ? 0 : archived.before + (await countFrom(client, record, kinds, before.getTime()));
  const start = await findStart(client, record, kinds, { skip: newer + offset, limit });
  const earliest = after === null ? null : after.getTime() + 1;
  const until =
    earliest === null ? start.total : archived.after + (await countFrom(client, record, kinds, earliest));
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
