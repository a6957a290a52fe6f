import {
  describeMove,
  PAGE_MAX_BYTES,
  projectNotFound,
  REARRANGE_MAX,
  type Author,
  type FamilyRef,
  type LockedFamily,
  type LiveRecord,
  type RecordPosition,
} from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import type pg from 'pg';
import { columns, numberAt } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransactionWithin, type Within } from '../postgres/in-transaction.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { ENTRY, entriesIn, entryValues } from '../writing/history-entries.ts';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';
import { readChunk } from './find-records.ts';
import { SET_BY_CALLERS } from './record-columns.ts';

const LIVE = columns((row): LiveRecord => {
  const { deleted: _deleted, ...values } = row.all(SET_BY_CALLERS);
  return { ...values, id: row.number('r.id'), order: row.number('r.position') };
});

export const LIVE_RECORDS = prepared('live_records')`select ${LIVE.sql} from config_record r
  where r.project_id = $1 and r.family = $2 and not r.deleted order by r.position, r.id limit $3`;

const namesOf = (table: string): string =>
  Object.keys(ENTRY)
    .map((name) => `${table}.${name}`)
    .join(', ');

/** Moves records, and adds an entry to the history of each in the order of the positions. */
export const MOVE_RECORDS: Statement = {
  name: 'move_records',
  text: write({
    first: {
      target: `select * from ${numberedRows('$3', { id: 'bigint', position: 'integer', ...ENTRY }, 't')}`,
    },
    update: {
      set: 'position = t.position, updated_at = greatest(r.updated_at, t.at)',
      from: 'target t, lateral (select * from config_record old where old.id = t.id limit 1) old',
      where: 'r.id = t.id and old.project_id = $1 and old.family = $2',
      returning: `t.number, ${namesOf('t')}`,
    },
    entries: { from: 'written w order by w.number', record: 'w.id', ...entriesIn('w') },
    increments: 'order_version',
    of: 'f.project_id = $1 and f.family = $2',
    result: 'select from written limit 0',
  }),
};

/** Locks the row of the family, like every writer of its records. */
export function lockFamily<T>(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  family: FamilyRef,
  work: (locked: LockedFamily) => Promise<T>,
  deadline?: Deadline,
): Promise<T> {
  return inTransactionWithin(pool, { deadline, begin: BEGIN_ROW_BY_ROW }, async (client, within) =>
    work(await lockedFamily({ client, within, configurations }, family)),
  );
}

interface Locking extends Pick<EncryptedDatabase, 'configurations'> {
  readonly client: pg.ClientBase;
  readonly within: Within;
}

async function lockedFamily(
  { client, within, configurations }: Locking,
  { projectId, family }: FamilyRef,
): Promise<LockedFamily> {
  const [row] = await run(client, LOCK_FAMILY, [projectId, family]);
  if (row === undefined) throw projectNotFound();
  const liveRows = await run(client, LIVE_RECORDS, [projectId, family, REARRANGE_MAX + 1]);
  const live = liveRows.map((cells) => LIVE.read(cells));
  return {
    listVersion: numberAt(row, 0),
    live,
    move: (positions, author) =>
      within(() => moveRecords(client, { projectId, family }, { live, positions, author })),
    record: async (id) => {
      const one = { ids: [id], maxBytes: PAGE_MAX_BYTES };
      const [record = null] = await readChunk(client, { configurations }, { projectId, family }, one);
      return record?.deleted === false ? record : null;
    },
  };
}

interface Moves {
  readonly live: readonly RecordPosition[];
  readonly positions: readonly RecordPosition[];
  readonly author: Author;
}

/** Stores new positions. The family must be locked. */
async function moveRecords(
  client: pg.ClientBase,
  { projectId, family }: FamilyRef,
  moves: Moves,
): Promise<void> {
  if (moves.positions.length === 0) return;
  await run(client, MOVE_RECORDS, [projectId, family, JSON.stringify(movesOf(moves))]);
}

function movesOf({ live, positions, author }: Moves): readonly object[] {
  const orders = new Map(live.map((record) => [record.id, record.order]));
  return positions.map(({ id, order }) => ({
    id,
    position: order,
    ...entryValues(describeMove(orders.get(id) ?? order, order, author)),
  }));
}
