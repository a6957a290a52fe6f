import {
  EDITS_OF_RECORD,
  type Base,
  type EditedRecord,
  type Family,
  type ManagedScope,
  type OwnedChange,
  type Ownership,
  type Page,
  type PageRequest,
  type RecordOwner,
  type Subject,
} from '@plugin-config/domain';
import type pg from 'pg';
import { listed } from '../entities/families-in-sql.ts';
import { columns } from '../postgres/columns.ts';
import { numberedRows } from '../postgres/numbered-rows.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { actorOf } from '../postgres/with-actor.ts';
import { MANAGED_BY } from '../record/find-records.ts';
import { write } from '../writing/write.ts';
import { lastEntryOf } from './managed-state.ts';

type Manager = Pick<ManagedScope, 'projectId' | 'manager'>;

const GIVEN = numberedRows(
  '$3',
  { id: 'bigint', family: 'text', key: 'text', prevent_destroy: 'boolean' },
  'g',
);

/** Stores the ownership. Plans that have read another one are stale. */
const OWN_RECORDS: Statement = {
  name: 'own_records',
  text: write({
    first: {
      given: `select g.*, r.version, ${lastEntryOf('r.id')} as entry
    from ${GIVEN} join lateral (select * from config_record r where r.id = g.id limit 1) r on true
    where r.project_id = $1 and r.family = g.family`,
      changed: `select g.id from given g left join managed_record m on m.record_id = g.id
    where (m.manager, m.key, m.prevent_destroy) is distinct from ($2, g.key, g.prevent_destroy)`,
    },
    update: { from: 'changed n', where: 'r.id = n.id' },
    entries: null,
    increments: 'list_version',
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

export async function ownRecords(
  client: pg.ClientBase,
  { projectId, manager }: Manager,
  records: readonly (Omit<OwnedChange, 'record'> & { readonly id: number })[],
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

const OWNER = columns((row): RecordOwner => ({
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
  owner: row.allOrNull(MANAGED_BY),
}));

const OWNERS = prepared('owners_of_records')`
  select ${OWNER.sql} from config_record r left join managed_record m on m.record_id = r.id
  where r.id = any ($2::bigint[]) and r.project_id = $1`;

export async function ownersOf(
  client: pg.ClientBase,
  projectId: number,
  ids: readonly number[],
): Promise<readonly RecordOwner[]> {
  return (await run(client, OWNERS, [projectId, ids])).map((row) => OWNER.read(row));
}

const OWNERSHIP = columns((row): Ownership => ({
  id: row.number('m.record_id'),
  family: row.text('m.family') as Family,
  ...row.all(MANAGED_BY),
}));

const COUNTED = columns((row) => ({
  count: row.number('t.count'),
  owned: row.allOrNull(OWNERSHIP),
}));

const MATCHING = 'managed_record m where m.project_id = $1 and ($2::text is null or m.manager = $2)';

const MANAGED_PAGE = prepared('managed_page')`select ${COUNTED.sql} from (select count(*) from ${MATCHING}) t
  left join (select * from ${MATCHING} order by m.family, m.record_id limit $3 offset $4) m on true
  order by m.family, m.record_id`;

export async function pageOfOwned(
  pool: pg.Pool,
  [projectId, manager, { limit, offset }]: readonly [number, string | null, PageRequest],
): Promise<Page<Ownership>> {
  const rows = (await run(pool, MANAGED_PAGE, [projectId, manager, limit, offset])).map((row) =>
    COUNTED.read(row),
  );
  return { count: rows[0]?.count ?? 0, items: rows.flatMap(({ owned }) => owned ?? []) };
}

const EDITED = columns((row) => ({
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
  key: row.textOrNull('m.key'),
  fields: row.jsonOrNull('e.fields') as readonly string[] | null,
  at: row.dateOrNull('l.created_at'),
  keyId: row.numberOrNull('l.actor_key_id'),
  label: row.textOrNull('l.actor_label'),
  subject: row.jsonOrNull('l.actor_subject') as Subject | null,
}));

/** Joins the edits of a record `r` after an entry: their fields as `e`, and the last entry as `l`. */
const editsAfter = (entry: string): string => `lateral (
    select array_to_json(array_agg(distinct c.field order by c.field) filter (where c.field is not null)) as fields,
      max(a.id) as last
    from activity a left join lateral (select c ->> 'field' as field from json_array_elements(a.changes) c) c on true
    where a.record_id = r.id and a.id > ${entry} and a.activity in (${listed(EDITS_OF_RECORD)})
  ) e on true
  left join activity l on l.id = e.last`;

const CHANGED_SINCE = prepared('changed_since_base')`select ${EDITED.sql}
  from unnest($3::text[], $4::bigint[]) as k (family, entry)
  join config_record r on r.project_id = $1 and r.family = k.family
  left join managed_record m on m.record_id = r.id and m.manager = $2
  left join ${editsAfter('k.entry')}
  where e.last is not null
  order by r.family, r.id`;

/** An edit has no fields if its entry has been deleted. */
const DRIFT = prepared('drift_of_manager')`select ${EDITED.sql}
  from managed_record m
  join config_record r on r.id = m.record_id and r.version <> m.applied_version
  left join ${editsAfter('m.applied_entry')}
  where m.project_id = $1 and m.manager = $2
  order by r.family, r.id`;

/** Returns the records of these families that changed after the base. */
export function changedSince(
  client: pg.ClientBase,
  { projectId, manager }: Manager,
  base: Base,
  families: readonly Family[],
): Promise<readonly EditedRecord[]> {
  return edited(client, CHANGED_SINCE, [
    projectId,
    manager,
    families,
    families.map((of) => base.families[of].entry),
  ]);
}

export function driftOf(pool: pg.Pool, projectId: number, manager: string): Promise<readonly EditedRecord[]> {
  return edited(pool, DRIFT, [projectId, manager]);
}

async function edited(...query: Parameters<typeof run>): Promise<readonly EditedRecord[]> {
  return (await run(...query)).map((row) => {
    const {
      fields,
      keyId: actorKeyId,
      label: actorLabel,
      subject: actorSubject,
      ...record
    } = EDITED.read(row);
    const actor = actorLabel === null ? null : actorOf({ actorKeyId, actorLabel, actorSubject });
    return { ...record, fields: fields ?? [], actor };
  });
}
