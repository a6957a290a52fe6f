import type { Family, FamilyRef } from '@plugin-config/domain';
import type pg from 'pg';
import { noteKeys } from '../activity/note-keys.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { retryWhenBusy, type Tries } from '../postgres/busy.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { LOCK_FAMILY } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';

/** The records that are touched within some 20 ms, while their family is locked. */
const PORTION = 500;

const ATTACHED = columns((row) => ({
  projectId: row.number('r.project_id'),
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
}));

type Attached = ReturnType<typeof ATTACHED.read>;

const NEXT_ATTACHED: Statement = {
  name: 'next_attached',
  text: `select ${ATTACHED.sql} from config_record r
  where r.plugin = $1 and (r.project_id, r.family, r.id) > ($2, $3, $4)
  order by r.project_id, r.family, r.id limit 1`,
};

const TOUCH: Statement = {
  name: 'touch_attached',
  text: write({
    update: {
      from: `(
      select a.id from config_record a
      where a.plugin = $1 and a.project_id = $2 and a.family = $3 and a.id >= $4 order by a.id limit ${PORTION}
    ) a`,
      where: 'r.id = a.id',
    },
    entries: null,
    raises: 'answers',
    result: 'select w.id from written w',
  }),
};

const CHANGE = columns((row) => ({ plugin: row.number('c.plugin'), revision: row.number('c.revision') }));

const CHANGES: Statement = { name: 'plugin_changes', text: `select ${CHANGE.sql} from plugin_change c` };

const SECRETS = columns((row) => row.json('array_to_json(c.secrets)') as readonly string[]);

/** What ended registrations have declared secret. */
const SECRETS_OF_CHANGE: Statement = {
  name: 'secrets_of_plugin_change',
  text: `select ${SECRETS.sql} from plugin_change c where c.plugin = $1 and c.revision = $2`,
};

/** A later change is not done yet. */
const END_CHANGE: Statement = {
  name: 'end_plugin_change',
  text: 'delete from plugin_change where plugin = $1 and revision = $2',
};

/**
 * Marks the answers of all attached records as changed, and notes what is to be masked in their past, in portions, each of one
 * family. Then forgets the registration or removal that demands it. Safe to repeat.
 */
export async function finishChange(
  pool: pg.Pool,
  { plugin, revision }: ReturnType<typeof CHANGE.read>,
  tries: Tries = {},
): Promise<void> {
  const [row] = await run(pool, SECRETS_OF_CHANGE, [plugin, revision]);
  await touchAll(pool, { plugin, secrets: row === undefined ? [] : SECRETS.read(row) }, tries);
  await run(pool, END_CHANGE, [plugin, revision]);
}

/** Finishes the changes whose process has ended. */
export async function finishChanges(pool: pg.Pool): Promise<void> {
  for (const row of await run(pool, CHANGES, [])) await finishChange(pool, CHANGE.read(row));
}

async function touchAll(
  pool: pg.Pool,
  { plugin, secrets }: { readonly plugin: number; readonly secrets: readonly string[] },
  tries: Tries,
): Promise<void> {
  let after: Attached | { readonly projectId: number; readonly family: string; readonly id: number } = {
    projectId: 0,
    family: '',
    id: 0,
  };
  for (;;) {
    const [row] = await run(pool, NEXT_ATTACHED, [plugin, after.projectId, after.family, after.id]);
    if (row === undefined) return;
    const next = ATTACHED.read(row);
    const touched = await retryWhenBusy(() => touchPortion(pool, plugin, next, next.id), tries);
    await noteKeys(pool, touched, secrets);
    after = { ...next, id: Math.max(next.id, ...touched) };
  }
}

/** Returns the ids of the portion. */
async function touchPortion(
  pool: pg.Pool,
  plugin: number,
  family: FamilyRef,
  from: number,
): Promise<readonly number[]> {
  return inTransaction(pool, 'begin', async (client) => {
    await run(client, LOCK_FAMILY, [family.projectId, family.family]);
    const rows = await run(client, TOUCH, [plugin, family.projectId, family.family, from]);
    return rows.map((touched) => numberAt(touched, 0));
  });
}
