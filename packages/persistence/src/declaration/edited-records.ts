import { CHANGES_OF_RECORD, type Base, type EditedRecord, type Family } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { listed } from '../entities/families-in-sql.ts';
import { run, type Statement } from '../postgres/statement.ts';

const EDITED = columns((row) => ({
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
  key: row.textOrNull('m.key'),
  fields: row.jsonOrNull('e.fields') as readonly string[] | null,
  at: row.dateOrNull('l.created_at'),
  keyId: row.numberOrNull('l.actor_key_id'),
  label: row.textOrNull('l.actor_label'),
}));

/** Joins the edits of a record `r` after an entry: their fields as `e`, and the last entry as `l`. */
const editsAfter = (entry: string): string => `lateral (
    select array_to_json(array_agg(distinct c.field order by c.field) filter (where c.field is not null)) as fields,
      max(a.id) as last
    from activity a left join lateral (select c ->> 'field' as field from json_array_elements(a.changes) c) c on true
    where a.record_id = r.id and a.id > ${entry} and a.activity in (${listed(CHANGES_OF_RECORD)})
  ) e on true
  left join activity l on l.id = e.last`;

const CHANGED_SINCE: Statement = {
  name: 'changed_since_base',
  text: `select ${EDITED.sql}
  from unnest($3::text[], $4::bigint[], $5::bigint[]) as k (family, family_version, entry)
  join config_record r on r.project_id = $1 and r.family = k.family and r.family_version > k.family_version
  left join managed_record m on m.record_id = r.id and m.manager = $2
  left join ${editsAfter('k.entry')}
  where e.last is not null
  order by r.family, r.id`,
};

/** An edit has no fields if its entry has been deleted. */
const DRIFT: Statement = {
  name: 'drift_of_manager',
  text: `select ${EDITED.sql}
  from managed_record m
  join config_record r on r.id = m.record_id and r.version <> m.applied_version
  left join ${editsAfter('m.applied_entry')}
  where m.project_id = $1 and m.manager = $2
  order by r.family, r.id`,
};

interface ManagerRef {
  readonly projectId: number;
  readonly manager: string;
}

export async function changedSince(
  client: pg.ClientBase,
  { projectId, manager }: ManagerRef,
  { marks }: Base,
  families: readonly Family[],
): Promise<readonly EditedRecord[]> {
  const familyVersions = families.map((family) => marks[family].familyVersion);
  const entries = families.map((family) => marks[family].entry);
  return editedRecords(
    await run(client, CHANGED_SINCE, [projectId, manager, families, familyVersions, entries]),
  );
}

export async function driftOf(
  connection: pg.Pool | pg.ClientBase,
  { projectId, manager }: ManagerRef,
): Promise<readonly EditedRecord[]> {
  return editedRecords(await run(connection, DRIFT, [projectId, manager]));
}

function editedRecords(rows: Awaited<ReturnType<typeof run>>): readonly EditedRecord[] {
  return rows
    .map((row) => EDITED.read(row))
    .map(({ fields, label, keyId, ...edited }) => ({
      ...edited,
      fields: fields ?? [],
      actor: label === null ? null : { keyId, label },
    }));
}
