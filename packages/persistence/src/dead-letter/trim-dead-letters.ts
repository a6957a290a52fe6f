import type { DeadLetterBounds, Trimmed } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/columns.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';

const TOO_OLD = prepared('dead_letters_too_old')`select id, octet_length(text) from dead_letter
  where added_at < date_trunc('day', now(), 'UTC') - make_interval(days => $1)
  order by id limit $2`;

/**
 * Finds the dead letters beyond the bounds of their owner or the total bounds. Dead letters with the fewest newer siblings are
 * kept first, so the largest owners lose their oldest dead letters.
 */
const TOO_MANY = prepared('dead_letters_too_many')`with of_owner as (
    select id, octet_length(text) as size, row_number() over newest as position,
      sum(octet_length(text)) over newest as bytes
    from dead_letter
    window newest as (partition by owner order by id desc)
  ),
  of_all as (
    select id, size, position, bytes, row_number() over (order by position, id desc) as total,
      sum(size) over (order by bytes, id desc) as all_bytes
    from of_owner
  )
  select id, size from of_all
  where position > $1::bigint or bytes > $2::bigint or total > $3::bigint or all_bytes > $4::bigint
  order by id limit $5`;

const DROP = prepared('drop_dead_letters')`
  with gone as (delete from dead_letter where id = any ($1::bigint[]) returning id) select count(*) from gone`;

/** Limits what one statement deletes, to keep it fast. */
const CHUNK = { count: 1000, bytes: 16 * 1024 * 1024 };
const FOUND_MAX = 100_000;

/** Deletes the dead letters that are too old, then those beyond the bounds, oldest first. */
export async function trimDeadLetters(
  pool: pg.Pool,
  { retentionDays, ofOwner, ofAll }: DeadLetterBounds,
): Promise<Trimmed> {
  const bounds = [ofOwner.count, ofOwner.bytes, ofAll.count, ofAll.bytes];
  return {
    tooOld: await dropAll(pool, TOO_OLD, [retentionDays]),
    tooMany: await dropAll(pool, TOO_MANY, bounds),
  };
}

/** Drops the dead letters that the statement finds until none are left. */
async function dropAll(pool: pg.Pool, find: Statement, parameters: readonly number[]): Promise<number> {
  let sum = 0;
  for (;;) {
    const found = await run(pool, find, [...parameters, FOUND_MAX]);
    let chunk: number[] = [];
    let bytes = 0;
    for (const row of found) {
      chunk.push(numberAt(row, 0));
      bytes += numberAt(row, 1);
      if (chunk.length < CHUNK.count && bytes < CHUNK.bytes) continue;
      sum += await dropDeadLetters(pool, chunk);
      [chunk, bytes] = [[], 0];
    }
    sum += await dropDeadLetters(pool, chunk);
    if (found.length < FOUND_MAX) return sum;
  }
}

export async function dropDeadLetters(pool: pg.Pool, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const [row = []] = await run(pool, DROP, [ids]);
  return numberAt(row, 0);
}
