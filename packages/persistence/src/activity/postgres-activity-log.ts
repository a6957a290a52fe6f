import {
  concealHistory,
  secretFields,
  type Activity,
  type ActivityEntry,
  type ActivityLog,
  type ConfigField,
  type FieldChange,
} from '@plugin-config/domain';
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

/** What is secret in the record: of its plugin, in its configuration, and what is not masked yet in its history. */
interface Secrets {
  readonly schema: readonly ConfigField[] | null;
  readonly keys: readonly string[];
}

const LISTED = columns((row) => ({
  entry: row.allOrNull(ENTRY),
  /** Only in the first row. */
  secrets: row.jsonOrNull(
    'case when row_number() over (order by a.id desc) = 1 then (select own.secrets from own) end',
  ) as Secrets | null,
  count: row.number('(select count(*) from activity a where a.record_id = $1 and exists (select from own))'),
}));

/** Unnamed, so that each page has its own plan: no plan suits histories of all lengths. */
const ACTIVITY_PAGE: Statement = {
  name: '',
  text: `with own as (
    select json_build_object('schema', p.config_schema, 'keys', array(
      select json_object_keys(r.secrets) union select n.key from unmasked_history n where n.record_id = r.id
    )) as secrets
    from config_record r left join plugin p on p.id = r.plugin
    where r.id = $1 and r.project_id = $2 and r.family = $3
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
      const secret = secretIn(listed[0]?.secrets ?? null);
      const items = listed.flatMap(({ entry }) => (entry === null ? [] : concealHistory(entry, secret)));
      return { count: listed[0]?.count ?? 0, items };
    },
  };
}

function secretIn(secrets: Secrets | null): ReadonlySet<string> {
  const configSchema = secrets?.schema ?? [];
  return new Set([...secretFields({ configSchema }), ...(secrets?.keys ?? [])]);
}
