import {
  concealHistory,
  DomainError,
  secretFields,
  type ActivityFilter,
  type ActivityLog,
  type ConfigField,
} from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import { allowSilence } from '../postgres/silence.ts';
import { run, type Parameter, type Statement } from '../postgres/statement.ts';
import { isTimeout } from '../postgres/translate-error.ts';
import { ENTRY } from './entry-columns.ts';
import { secretKeysOf } from './secrets-of-record.ts';

const TIMEOUT_MS = 5_000;

/** Reads the index of the histories alone, record by record. */
const begin = (
  timeoutMs: number,
): string => `begin read only; ${ROW_BY_ROW}; set local enable_seqscan = off; set local enable_bitmapscan = off;
  set local max_parallel_workers_per_gather = 0; set local statement_timeout = ${timeoutMs}`;

/** Only entries of this activity show values of the configuration. */
const OF_CONFIG = `a.activity = 'config_updated'`;
const IS_FIRST = (of: string): string =>
  `row_number() over (partition by ${of}, a.activity order by a.id desc) = 1`;

const LISTED = columns((row) => ({
  entry: row.allOrNull(ENTRY),
  recordId: row.numberOrNull('a.record_id'),
  plugin: row.numberOrNull('r.plugin'),
  /** Once for each plugin on the page. */
  schema: row.jsonOrNull(`case when ${OF_CONFIG} and ${IS_FIRST('r.plugin')} then (
    select p.config_schema from plugin p where p.id = r.plugin
  ) end`) as readonly ConfigField[] | null,
  /** What is secret in the configuration, and what is not masked yet in the history; once for each record. */
  keys: row.jsonOrNull(`case when ${OF_CONFIG} and ${IS_FIRST('a.record_id')} then array_to_json(array(
    ${secretKeysOf('unmasked_history')}
  )) end`) as readonly string[] | null,
  count: row.number('(select coalesce(sum(own.count), 0) from own)'),
}));

type Listed = ReturnType<typeof LISTED.read>;

/** The SQL of each filter, with its parameter. */
const CONDITIONS = {
  activity: (at: string) => `a.activity = ${at}`,
  actor: (at: string) => `a.actor_key_id is not distinct from ${at}::bigint`,
  after: (at: string) => `a.created_at > ${at}::timestamptz`,
  before: (at: string) => `a.created_at < ${at}::timestamptz`,
} as const;

/**
 * Counts the matches of each record in the index, and finds its newest one. The newest matches of a page are of the records
 * whose newest matches are the newest, so only these are read again. The range of one record keeps PostgreSQL from reading the
 * entries of all records by their ids. The statement is unnamed: each filter has its own plan.
 */
function familyPage(
  { projectId, family }: { readonly projectId: number; readonly family: string },
  { recordId, activity, actor, after, before }: ActivityFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly statement: Statement; readonly parameters: readonly Parameter[] } {
  const parameters: Parameter[] = [projectId, family, limit, offset];
  const add = (value: Parameter): string => `$${parameters.push(value)}`;
  const conditions = [
    activity === null ? [] : CONDITIONS.activity(add(activity)),
    actor === null ? [] : CONDITIONS.actor(add(actor.keyId)),
    after === null ? [] : CONDITIONS.after(add(after.toISOString())),
    before === null ? [] : CONDITIONS.before(add(before.toISOString())),
  ].flat();
  const matches = conditions.map((condition) => `and ${condition}`).join(' ');
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
  ) on true
  order by a.id desc`;
  return { statement: { name: '', text }, parameters };
}

export function familyPageReader(
  { pool }: Pick<Database, 'pool'>,
  timeoutMs = TIMEOUT_MS,
): ActivityLog['familyPage'] {
  return async (family, filter, page) => {
    const { statement, parameters } = familyPage(family, filter, page);
    const rows = await inTransaction(pool, begin(timeoutMs), (client) =>
      allowSilence(client, timeoutMs, () => run(client, statement, parameters)),
    ).catch(refuseTimeout);
    const listed = rows.map((row) => LISTED.read(row));
    const secretsIn = secretsOf(listed);
    const items = listed.flatMap(({ entry, recordId, plugin }) =>
      entry === null || recordId === null || plugin === null
        ? []
        : { ...concealHistory(entry, secretsIn(recordId, plugin)), recordId },
    );
    return { count: listed[0]?.count ?? 0, items };
  };
}

/** What is secret in a record: of its plugin, in its configuration, and what is not masked yet in its history. */
function secretsOf(listed: readonly Listed[]): (recordId: number, plugin: number) => ReadonlySet<string> {
  const ofPlugins = new Map<number | null, readonly string[]>();
  const ofRecords = new Map<number | null, readonly string[]>();
  for (const { plugin, recordId, schema, keys } of listed) {
    if (schema !== null) ofPlugins.set(plugin, secretFields({ configSchema: schema }));
    if (keys !== null) ofRecords.set(recordId, keys);
  }
  return (recordId, plugin) =>
    new Set([...(ofPlugins.get(plugin) ?? []), ...(ofRecords.get(recordId) ?? [])]);
}

function refuseTimeout(error: unknown): never {
  if (!isTimeout(error)) throw error;
  const detail = 'Reading the history of all records takes too long; narrow it with record.';
  throw new DomainError('invalid_input', detail, { attr: 'record', cause: error });
}
