import type { ActivityFilter, ActivityLog } from '@plugin-config/domain';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { readPage } from '../postgres/read-page.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { allowSilence } from '../postgres/silence.ts';
import type { Parameter, Statement } from '../postgres/statement.ts';
import { translateTimeout } from '../postgres/translate-error.ts';
import { INFO_OF_RECORD } from '../record/record-columns.ts';
import { listedEntries, maskEntries } from './masked-entries.ts';

const TIMEOUT_MS = 5_000;

/** Forces an index-only plan that reads the histories record by record. */
const begin = (
  timeoutMs: number,
): string => `begin read only; ${ROW_BY_ROW}; set local enable_seqscan = off; set local enable_bitmapscan = off;
  set local max_parallel_workers_per_gather = 0; set local statement_timeout = ${timeoutMs}`;

const LISTED = listedEntries('(select coalesce(sum(own.count), 0) from own)');

/**
 * Counts the matches of each record in the index and finds its newest match. A page can only have entries of the records with
 * the newest matches, so only these are read again. The `between` with a single record keeps PostgreSQL from scanning all
 * entries by id. The statement is unnamed because each filter needs a different plan.
 */
function familyPage(
  { projectId, family }: { readonly projectId: number; readonly family: string },
  { recordId, activity, actor, after, before }: ActivityFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly statement: Statement; readonly parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [projectId, family, limit, offset];
  const add = (value: Parameter): string => `$${parameters.push(value)}`;
  const matches = [
    activity === null ? '' : `and a.activity = ${add(activity)}`,
    actor === null ? '' : `and a.actor_key_id is not distinct from ${add(actor.keyId)}::bigint`,
    after === null ? '' : `and a.created_at > ${add(after.toISOString())}::timestamptz`,
    before === null ? '' : `and a.created_at < ${add(before.toISOString())}::timestamptz`,
  ].join(' ');
  const ofRecord = recordId === null ? '' : `and r.id = ${add(recordId)}::bigint`;
  const text = `with own as materialized (
    select r.id, m.count, m.newest
    from config_record r cross join lateral (
      select count(*) as count, max(a.id) as newest from activity a where a.record_id = r.id ${matches}
    ) m
    where r.project_id = $1 and r.family = $2 and m.count > 0 ${ofRecord}
  ),
  oldest as materialized (
    select coalesce((select o.newest from own o order by o.newest desc limit 1 offset $3::bigint + $4::bigint - 1), 0) as id
  ),
  page as (
    select e.id
    from own o cross join oldest cross join lateral (
      select a.id from activity a where a.record_id between o.id and o.id and a.id >= oldest.id ${matches}
      order by a.record_id desc, a.id desc limit $3::bigint + $4::bigint
    ) e
    where o.newest >= oldest.id
    order by e.id desc limit $3::bigint offset $4::bigint
  )
  select ${LISTED.sql}
  from (select) one
  left join (
    ${rowsThatFit({
      from: '(select a.* from page join activity a on a.id = page.id)',
      order: 'p.id desc',
      bytes: 'p.changes_bytes',
    })} a
    join config_record r on r.id = a.record_id
    left join ${INFO_OF_RECORD} on true
  ) on true
  order by a.id desc`;
  return { statement: { name: '', text }, parameters };
}

export function familyPageReader(
  { pool, configurations }: Pick<EncryptedDatabase, 'pool' | 'configurations'>,
  timeoutMs = TIMEOUT_MS,
): ActivityLog['familyPage'] {
  return async (family, filter, page) => {
    const { statement, parameters } = familyPage(family, filter, page);
    const read = await inTransaction(pool, begin(timeoutMs), (client) =>
      allowSilence(client, timeoutMs, () => readPage(client, { statement, listed: LISTED }, parameters)),
    ).catch(
      translateTimeout('record', 'Reading the history of all records takes too long; narrow it with record.'),
    );
    return maskEntries(pool, configurations, read, (entry, owner) => ({ ...entry, recordId: owner.id }));
  };
}
