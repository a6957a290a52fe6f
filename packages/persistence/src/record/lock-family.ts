import {
  projectNotFound,
  REARRANGE_MAX,
  type Author,
  type FamilyRef,
  type LockedFamily,
  type LiveRecord,
  type RecordPosition,
} from '@plugin-config/domain';
import type { Patience } from '@plugin-config/flow';
import type pg from 'pg';
import { numberAt } from '../postgres/cells.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';
import { RECORD } from './record-columns.ts';

/** Plans the changes as index lookups row by row, even if the tables were small at that time. */
export const TO_LOCK = 'begin; set local enable_hashjoin = off; set local enable_mergejoin = off';

const LIVE = columns((row): LiveRecord => ({
  id: row.number('r.id'),
  order: row.number('r.position'),
  plugin: row.number('r.plugin'),
  enabled: row.flag('r.enabled'),
  name: row.textOrNull('r.name'),
  description: row.textOrNull('r.description'),
}));

export const LIVE_RECORDS: Statement = {
  name: 'live_records',
  text: `select ${LIVE.sql} from config_record r
  where r.project_id = $1 and r.family = $2 and not r.deleted order by r.position, r.id limit $3`,
};

/** Moves records, and writes an entry for each in the order of the positions. */
export const MOVE_RECORDS: Statement = {
  name: 'move_records',
  text: write({
    first: {
      target: 'select * from unnest($3::bigint[], $4::integer[]) with ordinality as t (id, position, number)',
    },
    update: {
      set: 'position = t.position, updated_at = greatest(r.updated_at, $5)',
      from: 'target t, lateral (select * from config_record old where old.id = t.id limit 1) old',
      where: 'r.id = t.id and old.project_id = $1 and old.family = $2',
      returning: 't.number, old.position as before, r.position as after',
    },
    entries: {
      from: 'written w order by w.number',
      record: 'w.id',
      activity: `'rearranged'`,
      at: '$5',
      author: '$6, $7, $8',
      changes: `json_build_array(json_build_object('field', 'order', 'before', w.before, 'after', w.after))`,
    },
    raises: 'order',
    of: 'f.project_id = $1 and f.family = $2',
    result: 'select from written limit 0',
  }),
};

export const LOCKED_RECORD: Statement = {
  name: 'locked_record',
  text: `select ${RECORD.sql} from config_record r
  left join plugin i on i.id = r.plugin
  where r.project_id = $1 and r.family = $2 and not r.deleted and r.id = $3`,
};

/** Locks the row of the family, which every writer of its records locks first. */
export function lockFamily<T>(
  { pool, limitSlow }: Pick<Database, 'pool' | 'limitSlow'>,
  family: FamilyRef,
  work: (locked: LockedFamily) => Promise<T>,
  patience?: Patience,
): Promise<T> {
  const lock = (): Promise<T> =>
    inTransaction(pool, beginWithin(patience), async (client) => work(await lockedFamily(client, family)));
  return limitSlow(family.projectId, lock, patience);
}

/** Limits the waits for locks and statements to the remaining patience. */
function beginWithin(patience: Patience | undefined): string {
  if (patience === undefined) return TO_LOCK;
  const left = Math.ceil(Math.max(1, patience.left()));
  return `${TO_LOCK}; set local lock_timeout = ${left}; set local statement_timeout = ${left}`;
}

async function lockedFamily(client: pg.ClientBase, { projectId, family }: FamilyRef): Promise<LockedFamily> {
  const [row] = await run(client, LOCK_FAMILY, [projectId, family]);
  if (row === undefined) throw projectNotFound();
  const live = await run(client, LIVE_RECORDS, [projectId, family, REARRANGE_MAX + 1]);
  return {
    version: numberAt(row, 0),
    live: live.map((cells) => LIVE.read(cells)),
    move: async (positions, author) => {
      if (positions.length > 0)
        await run(client, MOVE_RECORDS, [
          projectId,
          family,
          ...columnsOf(positions),
          ...authorColumns(author),
        ]);
    },
    record: async (id) => {
      const [found] = await run(client, LOCKED_RECORD, [projectId, family, id]);
      return found === undefined ? null : RECORD.read(found);
    },
  };
}

function columnsOf(positions: readonly RecordPosition[]): readonly [readonly number[], readonly number[]] {
  return [positions.map(({ id }) => id), positions.map(({ order }) => order)];
}

function authorColumns({
  at,
  actor,
  requestId,
}: Author): readonly [string, number | null, string, string | null] {
  return [at.toISOString(), actor.keyId, actor.label, requestId];
}
