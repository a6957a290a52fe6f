import type { RestoredRecord, Revision, RevisionStore, RecordRef } from '@plugin-config/domain';
import { OVERHEAD_BYTES, type Ciphertext } from '../configuration/ciphertext.ts';
import type { Owner, Masker } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import type { Statement } from '../postgres/statement.ts';
import { readKept } from '../record/kept-responses.ts';
import { INFO_OF_RECORD, OWNER } from '../record/record-columns.ts';
import { restoreOnce } from './restore-once.ts';

/** A revision with an encrypted configuration. */
interface StoredRevision extends Omit<Revision, 'config'> {
  readonly config: Ciphertext | null;
  /** Whether the configuration is stored in the record, not in a revision. */
  readonly isCurrent: boolean;
}

const REVISION = columns((row): StoredRevision => ({
  number: row.number('e.revision'),
  at: row.date('e.created_at'),
  actor: { keyId: row.numberOrNull('e.actor_key_id'), label: row.text('e.actor_label') },
  requestId: row.textOrNull('e.request_id'),
  name: row.textOrNull('e.name'),
  description: row.textOrNull('e.description'),
  config: row.textOrNull('e.config'),
  isCurrent: row.flag('e.present'),
}));

const OWNED = columns((row) => ({ revision: row.all(REVISION), owner: row.all(OWNER) }));

const LISTED = columns((row) => ({
  item: row.allOrNull(OWNED),
  count: row.number('(select count(*) from known)'),
}));

/**
 * SQL for the revisions `k` of a record up to the byte limit. The current revision is the record itself. The configuration of an
 * earlier revision is in the first revision from it on that has one (`source`), or in the record if there is none.
 */
function revisions(chosen: string): string {
  return `with own as (
    select * from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  ),
  known as (
    select o.revision as number, coalesce(o.revision_at, o.created_at) as created_at, o.revision_key_id as actor_key_id,
      coalesce(o.revision_label, 'unknown') as actor_label, o.revision_request_id as request_id, o.name, o.description,
      null::bigint as source
    from own o
    union all
    select e.number, e.created_at, e.actor_key_id, e.actor_label, e.request_id, e.name, e.description,
      min(e.number) filter (where e.config is not null) over (order by e.number desc)
    from config_revision e where e.record_id = $1 and exists (select from own)
  )
  select ${LISTED.sql}
  from (select) one
  left join own r on true
  left join ${INFO_OF_RECORD} on true
  left join ${rowsThatFit({
    from: `(
      select k.number as revision, k.created_at, k.actor_key_id, k.actor_label, k.request_id, k.name, k.description,
        coalesce(s.config, o.config) as config, s.config is null as present
      from (select * from known k ${chosen}) k
      cross join own o
      left join lateral (select * from config_revision s where s.record_id = $1 and s.number = k.source limit 1) s on true
    )`,
    order: 'p.revision desc',
    bytes: `coalesce(octet_length(p.config) - ${OVERHEAD_BYTES}, 0) + coalesce(octet_length(p.name), 0)
      + coalesce(octet_length(p.description), 0)`,
  })} e on true
  order by e.revision desc`;
}

/** Unnamed to plan each page separately: no plan suits both few and many revisions. */
const REVISION_PAGE: Statement = { name: '', text: revisions('order by k.number desc limit $4 offset $5') };

const FIND_REVISION: Statement = { name: '', text: revisions('where k.number = $4') };

export function postgresRevisionStore(
  database: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
): RevisionStore {
  const { pool, configurations } = database;
  const read = async (
    { projectId, family, id }: RecordRef,
    statement: Statement,
    selection: readonly number[],
  ) => {
    const parameters = [id, projectId, family, ...selection];
    const { count, items } = await readPage(pool, { statement, listed: LISTED }, parameters);
    const masker = await configurations.masker(
      pool,
      items.map(({ owner }) => owner),
    );
    return { count, items: items.map(({ revision, owner }) => maskRevision(masker, owner, revision)) };
  };
  return {
    page: (ref, { limit, offset }) => read(ref, REVISION_PAGE, [limit, offset]),
    find: async (ref, number) => (await read(ref, FIND_REVISION, [number])).items[0] ?? null,
    kept: async ({ name }) =>
      (await readKept<RestoredRecord>(pool, configurations, [name])).get(name) ?? null,
    restoreOnce: (request) => restoreOnce(database, request),
  };
}

function maskRevision(
  masker: Masker,
  owner: Owner,
  { isCurrent, config, ...revision }: StoredRevision,
): Revision {
  const column = isCurrent ? 'config_record.config' : 'config_revision.config';
  return { ...revision, config: masker.revision(owner, config, column) };
}
