import type pg from 'pg';
import { columns } from '../../postgres/columns.ts';
import { run, type Cells, type Statement } from '../../postgres/statement.ts';
import {
  blockBounds,
  depthWithin,
  prefixWithin,
  TIME_DIGITS,
  type Block,
  type BlockIncrement,
} from './log-block.ts';

/** The number of entries by part of a block and kind. */
const COUNTED = columns((row) => ({
  part: row.number('part'),
  kind: row.number('kind'),
  count: row.number('count(*)'),
}));

const COUNT_BY_TIME: Statement = {
  name: 'count_log_entries_by_time',
  text: `select ${COUNTED.sql}
  from log_entry
  cross join lateral (select floor(extract(epoch from timestamp - $2::timestamptz) * 1000 / $4)::integer as part) p
  where record_id = $1 and timestamp >= $2::timestamptz and timestamp < $3::timestamptz
  group by 1, 2
  order by 1`,
};

const COUNT_BY_ID: Statement = {
  name: 'count_log_entries_by_id',
  text: `select ${COUNTED.sql}
  from log_entry
  cross join lateral (select ('x0' || substr(replace(id::text, '-', ''), $5, 1))::bit(8)::integer as part) p
  where record_id = $1 and timestamp = $2::timestamptz and id >= $3::uuid and id <= $4::uuid
  group by 1, 2
  order by 1`,
};

/** The blocks within a block that is split, counted in the table. */
export async function splitBlock(client: pg.ClientBase, block: Block): Promise<readonly BlockIncrement[]> {
  const parts = new Map<number, number[]>();
  for (const row of await countWithin(client, block)) {
    const { part, kind, count } = COUNTED.read(row);
    const counts = parts.get(part) ?? [];
    parts.set(part, counts);
    while (counts.length <= kind) counts.push(0);
    counts[kind] = count;
  }
  const { day, recordId, prefix } = block;
  return [...parts].map(([part, counts]) => ({
    day,
    recordId,
    prefix: prefixWithin(prefix, part),
    counts,
    from: 0,
    to: 0,
  }));
}

function countWithin(client: pg.ClientBase, { day, recordId, prefix }: Block): Promise<readonly Cells[]> {
  const { from, to, firstId, lastId } = blockBounds(day, prefix);
  const start = new Date(from).toISOString();
  if (prefix.length >= TIME_DIGITS) {
    return run(client, COUNT_BY_ID, [recordId, start, firstId, lastId, prefix.length - TIME_DIGITS + 1]);
  }
  const width = 16 ** (TIME_DIGITS - depthWithin(prefix));
  return run(client, COUNT_BY_TIME, [recordId, start, new Date(to).toISOString(), width]);
}
