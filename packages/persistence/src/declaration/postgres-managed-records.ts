import type { Family, ManagedRecords, Ownership } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { driftOf } from './edited-records.ts';
import { lockProject } from './locked-project.ts';
import { readManagedState } from './managed-state.ts';

const OWNERSHIP = columns((row): Ownership => ({
  family: row.text('m.family') as Family,
  id: row.number('m.record_id'),
  key: row.text('m.key'),
  manager: row.text('m.manager'),
}));

const LISTED = columns((row) => ({
  count: row.number('t.count'),
  owned: row.allOrNull(OWNERSHIP),
}));

const MATCHING = 'managed_record m where m.project_id = $1 and ($2::text is null or m.manager = $2)';

const MANAGED_PAGE: Statement = {
  name: 'managed_page',
  text: `select ${LISTED.sql} from (select count(*) from ${MATCHING}) t
  left join (select * from ${MATCHING} order by m.family, m.record_id limit $3 offset $4) m on true
  order by m.family, m.record_id`,
};

const BEGIN =
  'begin isolation level repeatable read read only; set local enable_hashjoin = off; set local enable_mergejoin = off';

export function postgresManagedRecords(
  database: Pick<EncryptedDatabase, 'pool' | 'primary' | 'configurations'>,
): ManagedRecords {
  const { pool, primary, configurations } = database;
  return {
    read: (scope) =>
      inTransaction(pool, BEGIN, (client) =>
        readManagedState(client, { timelineId: primary.timelineId, configurations }, scope),
      ),
    lock: (scope, work, deadline) => lockProject(database, scope, work, deadline),
    page: async (projectId, manager, { limit, offset }) => {
      const rows = await run(pool, MANAGED_PAGE, [projectId, manager, limit, offset]);
      const listed = rows.map((row) => LISTED.read(row));
      return { count: listed[0]?.count ?? 0, items: listed.flatMap(({ owned }) => owned ?? []) };
    },
    drift: (projectId, manager) => driftOf(pool, { projectId, manager }),
  };
}
