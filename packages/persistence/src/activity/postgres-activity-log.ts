import type { ActivityLog } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { prepared } from '../postgres/statement.ts';
import { INFO_OF_RECORD } from '../record/record-columns.ts';
import { familyPageReader } from './family-page.ts';
import { listedEntries, maskEntries } from './masked-entries.ts';

const LISTED = listedEntries(
  '(select count(*) from activity a where a.record_id = $1 and exists (select from own))',
);

/** Unnamed to plan each page separately: no plan suits histories of all lengths. */
const ACTIVITY_PAGE = prepared('')`with own as (
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
  order by a.id desc`;

export function postgresActivityLog(
  database: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
): ActivityLog {
  const { pool, configurations } = database;
  return {
    page: async ({ projectId, family, id }, { limit, offset }) => {
      const page = { statement: ACTIVITY_PAGE, listed: LISTED };
      const read = await readPage(pool, page, [id, projectId, family, limit, offset]);
      return maskEntries(pool, configurations, read, (entry) => entry);
    },
    familyPage: familyPageReader(database),
  };
}
