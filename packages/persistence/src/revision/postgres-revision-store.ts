import { RECORD_TEXTS, type Revision, type RevisionStore, type RecordRef } from '@plugin-config/domain';
import { OVERHEAD_BYTES, type Ciphertext } from '../configuration/ciphertext.ts';
import type { Owner, Masker } from '../configuration/configurations.ts';
import { RevisionRow } from '../entities/config-record.row.ts';
import { columns } from '../postgres/columns.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import type { Statement } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { withActor } from '../postgres/with-actor.ts';
import { keptRecord } from '../record/kept-responses.ts';
import { INFO_OF_RECORD, OWNER } from '../record/record-columns.ts';
import { restore } from './restore.ts';

interface StoredRevision extends Omit<Revision, 'config'> {
  readonly config: Ciphertext | null;
  /** Whether the configuration is stored in the record, not in a revision. */
  readonly isCurrent: boolean;
}

const ROW = rowOf(RevisionRow, 'e', ['recordId']);

const REVISION = columns((row): StoredRevision => {
  const { createdAt: at, ...revision } = withActor(row.all(ROW));
  return { ...revision, at, isCurrent: row.flag('e.present') };
});

const OWNED = columns((row) => ({ revision: row.all(REVISION), owner: row.all(OWNER) }));

const LISTED = columns((row) => ({
  item: row.allOrNull(OWNED),
  count: row.number('(select count(*) from known)'),
}));

const COLUMNS = Object.keys(writtenOf(RevisionRow, ['recordId', 'config']).types);

/** The columns of the current revision that a record has by other names. */
const OF_RECORD: Readonly<Record<string, string>> = {
  number: 'o.revision',
  created_at: 'coalesce(o.revision_at, o.created_at)',
  actor_key_id: 'o.revision_key_id',
  actor_label: `coalesce(o.revision_label, 'unknown')`,
  actor_subject: 'o.revision_subject',
  request_id: 'o.revision_request_id',
};

const CURRENT = COLUMNS.map((name) => `${OF_RECORD[name] ?? `o.${name}`} as ${name}`).join(', ');
const columnsIn = (table: string): string => COLUMNS.map((name) => `${table}.${name}`).join(', ');

/**
 * SQL for the revisions `k` of a record up to the byte limit. The current revision is the record itself. The configuration of an
 * earlier revision is in the first revision from it on that has one (`source`), or in the record if there is none.
 */
function revisions(chosen: string): string {
  return `with own as (
    select * from config_record r where r.id = $1 and r.project_id = $2 and r.family = $3
  ),
  known as (
    select ${CURRENT}, null::bigint as source
    from own o
    union all
    select ${columnsIn('e')}, min(e.number) filter (where e.config is not null) over (order by e.number desc)
    from config_revision e where e.record_id = $1 and exists (select from own)
  )
  select ${LISTED.sql}
  from (select) one
  left join own r on true
  left join ${INFO_OF_RECORD} on true
  left join ${rowsThatFit({
    from: `(
      select ${columnsIn('k')}, coalesce(s.config, o.config) as config, s.config is null as present
      from (select * from known k ${chosen}) k
      cross join own o
      left join lateral (select * from config_revision s where s.record_id = $1 and s.number = k.source limit 1) s on true
    )`,
    order: 'p.number desc',
    bytes: [
      `octet_length(p.config) - ${OVERHEAD_BYTES}`,
      ...RECORD_TEXTS.map((name) => `octet_length(p.${name})`),
    ]
      .map((size) => `coalesce(${size}, 0)`)
      .join(' + '),
  })} e on true
  order by e.number desc`;
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
    kept: (author) => keptRecord(pool, configurations, author),
    restore: (request) => restore(database, request),
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
