import { concealEdition, type Edition, type EditionStore, type RecordRef } from '@plugin-config/domain';
import { secretKeysIn, secretsOfRecord } from '../activity/secrets-of-record.ts';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import type { Cells, Statement } from '../postgres/statement.ts';
import { run } from '../postgres/statement.ts';
import { keptRestore, restoreOnce } from './restore-once.ts';

const EDITION = columns((row): Edition => ({
  number: row.number('e.edition'),
  at: row.date('e.created_at'),
  actor: { keyId: row.numberOrNull('e.actor_key_id'), label: row.text('e.actor_label') },
  requestId: row.textOrNull('e.request_id'),
  name: row.textOrNull('e.name'),
  description: row.textOrNull('e.description'),
  config: row.text('e.config'),
}));

const LISTED = columns((row) => ({
  edition: row.allOrNull(EDITION),
  /** Only in the first row. */
  secrets: row.jsonOrNull(
    'case when row_number() over (order by e.edition desc) = 1 then (select own.secret_keys from own) end',
  ),
  count: row.number('(select count(*) from known)'),
}));

/**
 * The SQL of the editions `k` of a record that fit. The present one is the record itself. The configuration of another one is in
 * the next edition that has one, from its own on (`source`), else that of the record.
 */
function editions(chosen: string): string {
  return `with own as (
    select r.*, ${secretsOfRecord('unmasked_edition')} as secret_keys
    from config_record r left join plugin p on p.id = r.plugin
    where r.id = $1 and r.project_id = $2 and r.family = $3
  ),
  known as (
    select o.edition as number, coalesce(o.edition_at, o.created_at) as created_at, o.edition_key_id as actor_key_id,
      coalesce(o.edition_label, 'unknown') as actor_label, o.edition_request_id as request_id, o.name, o.description,
      null::bigint as source
    from own o
    union all
    select e.number, e.created_at, e.actor_key_id, e.actor_label, e.request_id, e.name, e.description,
      min(e.number) filter (where e.config is not null) over (order by e.number desc)
    from edition e where e.record_id = $1 and exists (select from own)
  )
  select ${LISTED.sql}
  from (select) one
  left join ${rowsThatFit({
    from: `(
      select k.number as edition, k.created_at, k.actor_key_id, k.actor_label, k.request_id, k.name, k.description,
        coalesce(s.config, o.config) as config
      from (select * from known k ${chosen}) k
      cross join own o
      left join lateral (select * from edition s where s.record_id = $1 and s.number = k.source limit 1) s on true
    )`,
    order: 'p.edition desc',
    bytes:
      "octet_length(p.config) + octet_length(coalesce(p.name, '')) + octet_length(coalesce(p.description, ''))",
  })} e on true
  order by e.edition desc`;
}

/** Unnamed, so that each page has its own plan: no plan suits records with few and with many editions. */
const EDITION_PAGE: Statement = { name: '', text: editions('order by k.number desc limit $4 offset $5') };

const FIND_EDITION: Statement = { name: '', text: editions('where k.number = $4') };

export function postgresEditionStore({ pool }: Pick<Database, 'pool'>): EditionStore {
  const read = async (
    { projectId, family, id }: RecordRef,
    statement: Statement,
    which: readonly number[],
  ) => {
    const parameters = [id, projectId, family, ...which];
    return readEditions(await run(pool, statement, parameters));
  };
  return {
    page: (ref, { limit, offset }) => read(ref, EDITION_PAGE, [limit, offset]),
    find: async (ref, number) => (await read(ref, FIND_EDITION, [number])).items[0] ?? null,
    kept: (ref, key) => keptRestore(pool, ref, key),
    restoreOnce: (order) => restoreOnce({ pool }, order),
  };
}

function readEditions(rows: readonly Cells[]) {
  const listed = rows.map((row) => LISTED.read(row));
  const secret = secretKeysIn(listed[0]?.secrets ?? null);
  const items = listed.flatMap(({ edition }) => (edition === null ? [] : concealEdition(edition, secret)));
  return { count: listed[0]?.count ?? 0, items };
}
