import type { Activity, ActivityEntry, ActivityLog, FieldChange } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The columns of an activity entry `a`. */
const ENTRY = columns((row): ActivityEntry => {
  const entry = {
    id: row.number('a.id'),
    activity: row.text('a.activity') as Activity,
    at: row.date('a.created_at'),
    actor: { keyId: row.numberOrNull('a.actor_key_id'), label: row.text('a.actor_label') },
    requestId: row.textOrNull('a.request_id'),
    changes: row.json('a.changes') as readonly FieldChange[],
  };
  const more = row.number('a.more');
  return more > 0 ? { ...entry, more } : entry;
});

const LISTED = columns((row) => ({
  entry: row.allOrNull(ENTRY),
  count: row.number('(select count(*) from activity a where a.record_id = $1 and exists (select from own))'),
}));

/** Unnamed, so that each page has its own plan: no plan suits histories of all lengths. */
const ACTIVITY_PAGE: Statement = {
  name: '',
  text: `with own as (
    select from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  )
  select ${LISTED.sql}
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select * from activity a where a.record_id = $1 and exists (select from own) order by a.id desc limit $4 offset $5
    )`,
    order: 'p.id desc',
    bytes: 'p.changes_bytes',
  })} a on true
  order by a.id desc`,
};

export function postgresActivityLog({
  pool,
  limitPages,
}: Pick<Database, 'pool' | 'limitPages'>): ActivityLog {
  return {
    page: async ({ projectId, family, id }, { limit, offset }) => {
      const parameters = [id, projectId, family, limit, offset];
      const rows = await limitPages(projectId, () => run(pool, ACTIVITY_PAGE, parameters));
      const listed = rows.map((row) => LISTED.read(row));
      return { count: listed[0]?.count ?? 0, items: listed.flatMap(({ entry }) => entry ?? []) };
    },
  };
}
