import { hash } from 'node:crypto';
import type { DeadLetterWriter, NewDeadLetter } from '@plugin-config/domain';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** Assigns ids in the order of arrival and inserts in the order of the digests, so that no two batches deadlock. */
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

const LOCK: Statement = {
  name: 'lock_dead_letters',
  text: 'select id from dead_letter where id = any ($1::bigint[]) order by id for update',
};

const REMOVE: Statement = {
  name: 'remove_dead_letters',
  text: 'delete from dead_letter where id = any ($1::bigint[])',
};

const CHANGE_REASONS: Statement = {
  name: 'change_dead_letter_reasons',
  text: `update dead_letter d set reason = t.reason
  from unnest($1::bigint[], $2::text[]) t (id, reason)
  where d.id = t.id and d.reason <> t.reason`,
};

/** Writes within a transaction, which also holds the locks. */
export function deadLetterWriter(client: pg.ClientBase): DeadLetterWriter {
  return {
    lock: async (ids) => {
      if (ids.length === 0) return new Set();
      return new Set((await run(client, LOCK, [ids])).map((row) => numberAt(row, 0)));
    },

    add: async (letters) => {
      if (letters.length > 0) await run(client, ADD, columnsOf(letters));
    },

    changeReasons: async (reasons) => {
      if (reasons.size > 0) await run(client, CHANGE_REASONS, [[...reasons.keys()], [...reasons.values()]]);
    },

    remove: async (ids) => {
      if (ids.length > 0) await run(client, REMOVE, [ids]);
    },
  };
}

function columnsOf(letters: readonly NewDeadLetter[]): Parameters<typeof run>[2] {
  return [
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
  ];
}
