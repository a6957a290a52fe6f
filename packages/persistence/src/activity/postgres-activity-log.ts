import type { ActivityLog } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { INFO_OF_RECORD, OWNER } from '../record/record-columns.ts';
import { ENTRY, maskEntry } from './entry-columns.ts';
import { familyPageReader } from './family-page.ts';

const LISTED = columns((row) => ({
  entry: row.allOrNull(ENTRY),
  owner: row.allOrNull(OWNER),
  count: row.number('(select count(*) from activity a where a.record_id = $1 and exists (select from own))'),
}));

/** Unnamed to plan each page separately: no plan suits histories of all lengths. */
const ACTIVITY_PAGE: Statement = {
  name: '',
  text: `with own as (
    select * from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  )
  select ${LISTED.sql}
  from (select) one
  left join own r on true
  left join ${INFO_OF_RECORD} on true
  left join ${rowsThatFit({
    from: `(
      select * from activity a where a.record_id = $1 and exists (select from own) order by a.id desc limit $4 offset $5
    )`,
    order: 'p.id desc',
    bytes: 'p.changes_bytes',
  })} a on true
  order by a.id desc`,
};

export function postgresActivityLog(
  database: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
): ActivityLog {
  const { pool, configurations } = database;
  return {
    page: async ({ projectId, family, id }, { limit, offset }) => {
      const parameters = [id, projectId, family, limit, offset];
      const rows = await run(pool, ACTIVITY_PAGE, parameters);
      const listed = rows.map((row) => LISTED.read(row));
      const owner = listed[0]?.owner ?? null;
      const masker = await configurations.masker(pool, owner === null ? [] : [owner]);
      const items = listed.flatMap(({ entry }) =>
        entry === null || owner === null ? [] : maskEntry(masker, owner, entry),
      );
      return { count: listed[0]?.count ?? 0, items };
    },
    familyPage: familyPageReader(database),
  };
}
