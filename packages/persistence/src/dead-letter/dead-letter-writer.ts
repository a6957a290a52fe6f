import { hash } from 'node:crypto';
import type { DeadLetterWriter, NewDeadLetter } from '@plugin-config/domain';
import { readingPauses } from '@plugin-config/flow/node';
import type pg from 'pg';
import { DeadLetterRow } from '../entities/dead-letter.row.ts';
import { numberAt } from '../postgres/columns.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { prepared, run } from '../postgres/statement.ts';
import { writtenOf } from '../postgres/table.ts';

const WRITTEN = writtenOf(DeadLetterRow, ['id', 'number', 'addedAt']);

/**
 * Assigns ids in the order of the batch, but inserts in the order of the digests to avoid deadlocks. An owner's numbers have few
 * gaps, so the highest are kept, up to the maximum. Deletes only as many dead letters as it adds, just below the kept numbers:
 * further back, the index is full of deleted rows.
 */
export const ADD_DEAD_LETTERS = prepared('add_dead_letters')`with letter as materialized (
    select nextval('dead_letter_id_seq') as id, t.*
    from (
      select * from ${numberedRows('$1::json', WRITTEN.types, 't')}
      where not exists (select from dead_letter d where d.digest = t.digest)
      order by t.number
    ) t
  ),
  owner as materialized (
    select o.owner, o.added,
      coalesce((select max(d.number) from dead_letter d where d.owner = o.owner), 0) as last
    from (select owner, count(*) as added from letter group by owner) o
  ),
  displaced as (
    delete from dead_letter where id = any (array(
      select d.id from owner o join dead_letter d on d.owner = o.owner
        and d.number > o.last - $2::bigint and d.number <= o.last + o.added - $2::bigint
      order by d.id for update of d skip locked
    ))
  )
  insert into dead_letter (id, number, ${WRITTEN.names})
  select id, o.last + row_number() over (partition by owner order by id), ${WRITTEN.names}
  from letter join owner o using (owner) order by digest
  on conflict do nothing`;

const LOCK = prepared('lock_dead_letters')`
  select id from dead_letter where id = any ($1::bigint[]) order by id for update`;

const REMOVE = prepared('remove_dead_letters')`delete from dead_letter where id = any ($1::bigint[])`;

const CHANGE_REASONS = prepared('change_dead_letter_reasons')`update dead_letter d set reason = t.reason
  from unnest($1::bigint[], $2::text[]) t (id, reason)
  where d.id = t.id and d.reason <> t.reason`;

/** Writes dead letters within the transaction of this client, which also holds the locks. */
export function deadLetterWriter(client: pg.ClientBase): DeadLetterWriter {
  return {
    lock: async (ids) => {
      if (ids.length === 0) return new Set();
      return new Set((await run(client, LOCK, [ids])).map((row) => numberAt(row, 0)));
    },

    add: async (letters, mostOfOwner) => {
      if (letters.length > 0)
        await run(client, ADD_DEAD_LETTERS, [await jsonOf(distinct(letters)), mostOfOwner]);
    },

    changeReasons: async (reasons) => {
      if (reasons.size > 0) await run(client, CHANGE_REASONS, [[...reasons.keys()], [...reasons.values()]]);
    },

    remove: async (ids) => {
      if (ids.length > 0) await run(client, REMOVE, [ids]);
    },
  };
}

/** Drops repeated dead letters, which would use up numbers and displace others. */
function distinct(letters: readonly NewDeadLetter[]): readonly NewDeadLetter[] {
  const repeated = Map.groupBy(letters, ({ identity }) => identity);
  return [...repeated.values()].flatMap(([first]) => first ?? []);
}

/** Returns the dead letters as one JSON text, since escaping arrays of thousands of them takes several times as long. */
async function jsonOf(letters: readonly NewDeadLetter[]): Promise<string> {
  const pauseAfter = readingPauses();
  const rows: string[] = [];
  for (const { identity, ...letter } of letters) {
    rows.push(JSON.stringify(WRITTEN.named({ ...letter, digest: `\\x${hash('sha256', identity, 'hex')}` })));
    await pauseAfter(letter.text.length);
  }
  return `[${rows.join(',')}]`;
}
