import { hash } from 'node:crypto';
import type { NewDeadLetter } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** They are numbered as they came, but taken in an order in which two batches never wait for each other in a circle. */
const ADD: Statement = {
  name: 'add_dead_letters',
  text: `with letter as materialized (
    select nextval('dead_letter_id_seq') as id, t.*
    from unnest(
      $1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::uuid[], $8::text[],
      $9::integer[], $10::bigint[]
    ) with ordinality t (
      digest, received_at, reason, channel, stream_time, project_ids, entry_id, text, missing, position, number
    )
  )
  insert into dead_letter (
    id, digest, received_at, reason, channel, stream_time, project_ids, entry_id, text, missing, position
  )
  select id, decode(digest, 'hex'), received_at, reason, channel, stream_time, project_ids::bigint[], entry_id, text,
    missing, position
  from letter order by digest, number
  on conflict do nothing`,
};

const HOLD: Statement = {
  name: 'hold_dead_letters',
  text: 'select id from dead_letter where id = any ($1::bigint[]) order by id for update',
};

const REMOVE: Statement = {
  name: 'remove_dead_letters',
  text: 'delete from dead_letter where id = any ($1::bigint[])',
};

const GIVE_REASONS: Statement = {
  name: 'give_dead_letters_reasons',
  text: `update dead_letter d set reason = t.reason
  from unnest($1::bigint[], $2::text[]) t (id, reason)
  where d.id = t.id and d.reason <> t.reason`,
};

/** Those that are not there yet. */
export async function addDeadLetters(
  client: pg.ClientBase,
  letters: readonly NewDeadLetter[],
): Promise<void> {
  if (letters.length === 0) return;
  await run(client, ADD, [
    letters.map(({ identity }) => hash('sha256', identity, 'hex')),
    letters.map(({ receivedAt }) => receivedAt.toISOString()),
    letters.map(({ reason }) => reason),
    letters.map(({ channel }) => channel),
    letters.map(({ streamTime }) => streamTime?.toISOString() ?? null),
    letters.map(({ projectIds }) => `{${projectIds.join(',')}}`),
    letters.map(({ entryId }) => entryId),
    letters.map(({ text }) => text),
    letters.map(({ missing }) => missing),
    letters.map(({ position }) => position),
  ]);
}

/** Keeps these letters from everybody else until the commit. Answers those that there are. */
export async function holdDeadLetters(
  client: pg.ClientBase,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  return new Set((await run(client, HOLD, [ids])).map((row) => numberAt(row, 0)));
}

export async function removeDeadLetters(client: pg.ClientBase, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await run(client, REMOVE, [ids]);
}

export async function giveReasons(
  client: pg.ClientBase,
  reasons: ReadonlyMap<number, string>,
): Promise<void> {
  if (reasons.size > 0) await run(client, GIVE_REASONS, [[...reasons.keys()], [...reasons.values()]]);
}
