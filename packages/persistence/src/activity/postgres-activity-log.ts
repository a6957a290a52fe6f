import { concealHistory, type ActivityLog } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { ENTRY } from './entry-columns.ts';
import { familyPageReader } from './family-page.ts';
import { secretKeysIn, secretsOfRecord } from './secrets-of-record.ts';

const LISTED = columns((row) => ({
  entry: row.allOrNull(ENTRY),
  /** Only in the first row. */
  secrets: row.jsonOrNull(
    'case when row_number() over (order by a.id desc) = 1 then (select own.secrets from own) end',
  ),
  count: row.number('(select count(*) from activity a where a.record_id = $1 and exists (select from own))'),
}));

/** Unnamed, so that each page has its own plan: no plan suits histories of all lengths. */
const ACTIVITY_PAGE: Statement = {
  name: '',
  text: `with own as (
    select ${secretsOfRecord('unmasked_history')} as secrets
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

export function postgresActivityLog({ pool }: Pick<Database, 'pool'>): ActivityLog {
  return {
    page: async ({ projectId, family, id }, { limit, offset }) => {
      const parameters = [id, projectId, family, limit, offset];
      const rows = await run(pool, ACTIVITY_PAGE, parameters);
      const listed = rows.map((row) => LISTED.read(row));
      const secret = secretKeysIn(listed[0]?.secrets ?? null);
      const items = listed.flatMap(({ entry }) => (entry === null ? [] : concealHistory(entry, secret)));
      return { count: listed[0]?.count ?? 0, items };
    },
    familyPage: familyPageReader({ pool }),
  };
}
