import type { DeadLetterBounds, Trimmed } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/columns.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** Finds the last id that is too old, and the last one above the maximum. Never reads more than may be kept. */
const LAST_TO_DROP: Statement = {
  name: 'last_dead_letters_over',
  text: `select coalesce(max(id) filter (where added_at < date_trunc('day', now(), 'UTC') - make_interval(days => $1)), 0),
    coalesce(greatest(
      (select id from dead_letter order by id desc offset $2::bigint limit 1),
      max(id) filter (where bytes > $3::bigint)
    ), 0)
  from (
    select id, added_at, sum(octet_length(text)) over (order by id desc) as bytes
    from (select id, added_at, text from dead_letter order by id desc limit $2::bigint) newest
  ) sized`,
};

/** Deletes a portion up to an id, bounded in number and in bytes of text so that it is fast. */
const DROP_UP_TO: Statement = {
  name: 'drop_dead_letters_up_to',
  text: `with gone as (
    delete from dead_letter
    where id = any (array(
      select id from (
        select id, sum(octet_length(text)) over (order by id) - octet_length(text) as ahead
        from (select id, text from dead_letter where id <= $1 order by id limit 1000) oldest
      ) sized
      where ahead < 16 * 1024 * 1024
    ))
    returning id
  )
  select count(*) from gone`,
};

/** Deletes the oldest ones first: all before one that must go must go too. */
export async function trimDeadLetters(
  pool: pg.Pool,
  { retentionDays, letters, bytes }: DeadLetterBounds,
): Promise<Trimmed> {
  const [last] = await run(pool, LAST_TO_DROP, [retentionDays, letters, bytes]);
  if (last === undefined) return { tooOld: 0, tooMany: 0 };
  const tooOld = await dropUpTo(pool, numberAt(last, 0));
  return { tooOld, tooMany: await dropUpTo(pool, numberAt(last, 1)) };
}

async function dropUpTo(pool: pg.Pool, id: number): Promise<number> {
  let sum = 0;
  for (;;) {
    const [row] = await run(pool, DROP_UP_TO, [id]);
    const dropped = row === undefined ? 0 : numberAt(row, 0);
    if (dropped === 0) return sum;
    sum += dropped;
  }
}
