import type { Family, NewOwnership, RecordOwner, Ownership } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { run, type Statement } from '../postgres/statement.ts';
import { write } from '../writing/write.ts';
import { lastEntryOf } from './managed-state.ts';

const GIVEN = numberedRows(
  '$3',
  { id: 'bigint', family: 'text', key: 'text', prevent_destroy: 'boolean' },
  'g',
);

/** Stores the ownership. Increments the family version for each record that now shows a different manager or key. */
const OWN_RECORDS: Statement = {
  name: 'own_records',
  text: write({
    first: {
      given: `select g.*, r.version, ${lastEntryOf('r.id')} as entry
    from ${GIVEN} join lateral (select * from config_record r where r.id = g.id limit 1) r on true
    where r.project_id = $1 and r.family = g.family`,
      renamed: `select g.id from given g left join managed_record m on m.record_id = g.id
    where m.manager is distinct from $2 or m.key is distinct from g.key`,
    },
    update: { from: 'renamed n', where: 'r.id = n.id' },
    entries: null,
    increments: 'family_version',
    also: {
      owned: `insert into managed_record as m
      (record_id, project_id, family, manager, key, prevent_destroy, applied_version, applied_entry)
    select g.id, $1, g.family, $2, g.key, g.prevent_destroy, g.version, g.entry from given g order by g.id
    on conflict (record_id) do update set manager = excluded.manager, key = excluded.key,
      prevent_destroy = excluded.prevent_destroy,
      applied_version = excluded.applied_version, applied_entry = excluded.applied_entry
    where (m.manager, m.key, m.prevent_destroy, m.applied_version)
      is distinct from (excluded.manager, excluded.key, excluded.prevent_destroy, excluded.applied_version)`,
    },
    result: 'select from written limit 0',
  }),
};

const DISOWN_RECORDS: Statement = {
  name: 'disown_records',
  text: write({
    update: {
      from: 'managed_record m',
      where:
        'm.project_id = $1 and m.manager = $2 and m.record_id = any ($3::bigint[]) and r.id = m.record_id',
    },
    entries: null,
    increments: 'family_version',
    also: { gone: 'delete from managed_record m using written w where m.record_id = w.id' },
    result: 'select from written limit 0',
  }),
};

const OWNER = columns((row): RecordOwner => ({
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
  key: row.textOrNull('m.key'),
  manager: row.textOrNull('m.manager'),
}));

const OWNERS: Statement = {
  name: 'owners_of_records',
  text: `select ${OWNER.sql} from config_record r left join managed_record m on m.record_id = r.id
  where r.id = any ($2::bigint[]) and r.project_id = $1`,
};

interface Manager {
  readonly projectId: number;
  readonly manager: string;
}

export async function ownRecords(
  client: pg.ClientBase,
  { projectId, manager }: Manager,
  records: readonly NewOwnership[],
): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ id, family, key, preventDestroy }) => ({
    id,
    family,
    key,
    prevent_destroy: preventDestroy,
  }));
  await run(client, OWN_RECORDS, [projectId, manager, JSON.stringify(rows)]);
}

export async function disownRecords(
  client: pg.ClientBase,
  { projectId, manager }: Manager,
  records: readonly Pick<Ownership, 'id'>[],
): Promise<void> {
  await run(client, DISOWN_RECORDS, [projectId, manager, records.map(({ id }) => id)]);
}

export async function ownersOf(
  client: pg.ClientBase,
  projectId: number,
  ids: readonly number[],
): Promise<readonly RecordOwner[]> {
  return (await run(client, OWNERS, [projectId, ids])).map((row) => OWNER.read(row));
}
