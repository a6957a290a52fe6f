import type pg from 'pg';
import { numberAt, textAt } from '../cells.ts';
import { run, type Cells, type Statement } from '../statement.ts';
import { blockBounds, TIME_DIGITS, type Block, type Raise } from './log-block.ts';

const COUNT_BY_TIME: Statement = {
  name: 'count_log_entries_by_time',
  text: `with counted as (
    select floor(extract(epoch from e.timestamp - $2::timestamptz) * 1000 / $4)::integer as part, e.source, e.type,
      count(*) as entries
    from log_entry e
    where e.record_id = $1 and e.timestamp >= $2::timestamptz and e.timestamp < $3::timestamptz
    group by 1, 2, 3
  )
  select to_hex(c.part), array_position(k.kinds, c.source || ' ' || c.type) - 1, c.entries
  from counted c join log_kind k on k.record_id = $1
  order by 1`,
};

const COUNT_BY_ID: Statement = {
  name: 'count_log_entries_by_id',
  text: `with counted as (
    select substr(replace(e.id::text, '-', ''), $5, 1) as part, e.source, e.type, count(*) as entries
    from log_entry e
    where e.record_id = $1 and e.timestamp = $2::timestamptz and e.id >= $3::uuid and e.id <= $4::uuid
    group by 1, 2, 3
  )
  select c.part, array_position(k.kinds, c.source || ' ' || c.type) - 1, c.entries
  from counted c join log_kind k on k.record_id = $1
  order by 1`,
};

/** The blocks within one that has grown, as they are counted in the table. */
export async function splitBlock(client: pg.ClientBase, block: Block): Promise<readonly Raise[]> {
  const parts = new Map<string, number[]>();
  for (const row of await countWithin(client, block)) {
    const counts = parts.get(textAt(row, 0)) ?? [];
    parts.set(textAt(row, 0), counts);
    const place = numberAt(row, 1);
    while (counts.length <= place) counts.push(0);
    counts[place] = numberAt(row, 2);
  }
  const { day, recordId, prefix } = block;
  return [...parts].map(([digit, counts]) => ({ day, recordId, prefix: prefix + digit, counts, from: 0, to: 0 }));
}

function countWithin(client: pg.ClientBase, { day, recordId, prefix }: Block): Promise<readonly Cells[]> {
  const { from, to, firstId, lastId } = blockBounds(day, prefix);
  const start = new Date(from).toISOString();
  if (prefix.length >= TIME_DIGITS) {
    return run(client, COUNT_BY_ID, [recordId, start, firstId, lastId, prefix.length - TIME_DIGITS + 1]);
  }
  const width = 16 ** (TIME_DIGITS - 1 - prefix.length);
  return run(client, COUNT_BY_TIME, [recordId, start, new Date(to).toISOString(), width]);
}
