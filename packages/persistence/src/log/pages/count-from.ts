import { startOfDay, type LogRef } from '@plugin-config/domain';
import type pg from 'pg';
import { columns, numberAt } from '../../postgres/columns.ts';
import { run, type Statement } from '../../postgres/statement.ts';
import { clampMoment } from './clamp-moment.ts';
import { MATCHES } from './find-start.ts';
import { OWN_LOG } from '../kinds/own-log.ts';
import type { KindIndexes } from '../kinds/wanted-kinds.ts';
import { blockBounds, DEPTH_AROUND, TIME_DIGITS, timeDigits } from '../blocks/log-block.ts';

const BLOCK = columns((row) => ({
  day: row.date('b.day::timestamptz'),
  prefix: row.text('b.prefix'),
  matches: row.number(MATCHES('b', '$4')),
  isSplit: row.flag('b.split'),
}));

/**
 * Reads the days from one on; and on that day, the blocks around a time from the outermost inwards, each with its
 * siblings. They are looked up depth by depth: the `offset` keeps the planner from inverting the join.
 */
const BLOCKS_FROM: Statement = {
  name: 'find_log_blocks_from',
  text: `select ${BLOCK.sql}
  from log_block b
  where b.record_id = $1 and ${OWN_LOG('$1', '$5')} and b.depth = 0 and b.day >= $2::date
  union all
  select ${BLOCK.sql}
  from generate_series(1, ${TIME_DIGITS}) d (depth)
  cross join left($3, ${DEPTH_AROUND('d.depth')}) around
  cross join lateral (
    select * from log_block b
    where b.record_id = $1 and ${OWN_LOG('$1', '$5')} and b.day = $2::date and b.depth = d.depth
      and b.prefix >= around || '0' and b.prefix < around || 'g'
    offset 0
  ) b`,
};

const COUNT_ENTRIES: Statement = {
  name: 'count_log_entries',
  text: `select count(*)
  from log_entry
  where record_id = $1 and ${OWN_LOG('$1', '$5')} and timestamp >= $2::timestamptz and timestamp < $3::timestamptz
    and ($4::integer[] is null or kind = any ($4::integer[]))`,
};

/** Counts the entries at a time or later: the blocks after it, and a part of the block that contains it. */
export async function countFrom(
  client: pg.ClientBase,
  record: LogRef,
  kindIndexes: KindIndexes,
  from: number,
): Promise<number> {
  const moment = clampMoment(from);
  const day = startOfDay(moment);
  const digits = timeDigits(day, moment);
  let count = 0;
  let innermost: string | null = null;
  for (const row of await run(client, BLOCKS_FROM, [
    record.id,
    new Date(day).toISOString(),
    digits,
    kindIndexes,
    record.projectId,
  ])) {
    const { prefix, matches, isSplit, ...block } = BLOCK.read(row);
    const dayOfBlock = block.day.getTime();
    const containsMoment = dayOfBlock === day && digits.startsWith(prefix) && prefix.length < TIME_DIGITS;
    if (containsMoment) {
      // The entries of a split block are those of its parts, which are rows of their own.
      if (!isSplit) innermost = prefix;
    } else {
      const isLater = dayOfBlock > day || prefix >= digits.slice(0, prefix.length);
      if (isLater) count += matches;
    }
  }
  return innermost === null
    ? count
    : count + (await countWithin(client, record, kindIndexes, moment, innermost));
}

async function countWithin(
  client: pg.ClientBase,
  record: LogRef,
  kindIndexes: KindIndexes,
  moment: number,
  prefix: string,
): Promise<number> {
  const { to } = blockBounds(startOfDay(moment), prefix);
  const bounds = [new Date(moment).toISOString(), new Date(to).toISOString()];
  const [row] = await run(client, COUNT_ENTRIES, [record.id, ...bounds, kindIndexes, record.projectId]);
  return row === undefined ? 0 : numberAt(row, 0);
}
