import { keptText, type DeadMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../cells.ts';
import { run, type Statement } from '../statement.ts';

const ADD: Statement = {
  name: 'add_dead_letters',
  text: `insert into dead_letter (received_at, reason, channel, stream_time, project_ids, text, missing)
  select t.received_at, t.reason, t.channel, t.stream_time, t.project_ids::bigint[], t.text, t.missing
  from unnest(
    $1::timestamptz[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::integer[]
  ) with ordinality t (received_at, reason, channel, stream_time, project_ids, text, missing, number)
  order by t.number`,
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

export async function addDeadLetters(client: pg.ClientBase, messages: readonly DeadMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const origins = messages.map(({ origin }) => origin);
  const texts = messages.map(keptText);
  await run(client, ADD, [
    origins.map(({ receivedAt }) => receivedAt.toISOString()),
    messages.map(({ reason }) => reason),
    origins.map(({ channel }) => channel),
    origins.map(({ streamTime }) => streamTime?.toISOString() ?? null),
    origins.map(({ projectIds }) => `{${projectIds.join(',')}}`),
    texts.map(({ text }) => text),
    texts.map(({ missing }) => missing),
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
