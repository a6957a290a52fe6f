import {
  CALM,
  SERVICE,
  SPAN_MS,
  windowStart,
  type Alert,
  type AlertState,
  type EvaluatedRecord,
  type Signal,
} from '@plugin-config/domain';
import type pg from 'pg';
import { IS_OUTDATED } from '../configuration/plugin-columns.ts';
import { kindsOfType } from '../log/entries/kinds.ts';
import { COUNT_OF } from '../log/hours/hour-counts.ts';
import { columns } from '../postgres/columns.ts';
import { runtimesOf } from '../runtime/runtimes-of.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { prepared, run, type Parameter, type Statement } from '../postgres/statement.ts';

/** All projects wait while a chunk is read. */
const TIMEOUT_MS = 1_000;
const BEGIN = `begin read only; set local statement_timeout = ${TIMEOUT_MS}`;

/** The kinds of entries of the type ERROR, with any source. */
export const ERROR_KINDS = kindsOfType('ERROR');

/** SQL for the number of ERROR entries in a row of `log_hour`. */
export const ERRORS_OF = (hour: string): string =>
  ERROR_KINDS.map((kind) => COUNT_OF(hour, kind)).join(' + ');

const ERROR_KINDS_IN_SQL = `array[${ERROR_KINDS.join(', ')}]`;

/** The sums of five minutes that overlap the window. */
const SPANS = `s.record_id = r.id and s.span > $5::timestamptz - interval '${SPAN_MS} milliseconds' and s.span <= $6::timestamptz`;

/**
 * Joins, for a record `r`, a sample `w` of the window from $5 to $6, with one index lookup at a time. Entries are counted up to a
 * threshold ($7).
 */
const SAMPLES: Readonly<Record<Signal, string>> = {
  delivery_rate: `select coalesce(sum(s.successes + s.successes_on_retry + s.failures), 0) as count,
      coalesce(sum(s.successes + s.successes_on_retry), 0) as successes
    from delivery_sum s where ${SPANS}`,
  // The counters of hours bound the number of entries, which are read only if the threshold lies between the bounds.
  log: `select case
      when h.most < $7::bigint then h.most
      when h.least >= $7::bigint then $7::bigint
      else (
        select count(*) from (
          select from log_entry e
          where e.record_id = r.id and e.kind = any (${ERROR_KINDS_IN_SQL})
            and e.timestamp > $5::timestamptz and e.timestamp <= $6::timestamptz
          limit $7::bigint
        ) found
      ) end as count, 0 as successes
    from (
      select coalesce(sum(o.errors), 0) as most, coalesce(sum(o.errors) filter (
        where o.hour > $5::timestamptz and o.hour + interval '1 hour' <= $6::timestamptz
      ), 0) as least
      from (
        select h.hour, ${ERRORS_OF('h')} as errors from log_hour h
        where h.record_id = r.id and h.hour > $5::timestamptz - interval '1 hour' and h.hour <= $6::timestamptz
      ) o
    ) h`,
  error: `select count(*) as count, 0 as successes from error_report e
    where e.record_id = r.id and e.timestamp > $5::timestamptz and r.error is not null`,
  silence: `select (
      exists (
        select from delivery_sum s where ${SPANS}
      )
      or exists (
        select from log_entry e
        where e.record_id = r.id and e.timestamp > $5::timestamptz and e.timestamp <= $6::timestamptz
      )
    )::integer as count, 0 as successes`,
  runtime: 'select 0 as count, 0 as successes',
  offline: 'select 0 as count, 0 as successes',
  outdated: `select (${IS_OUTDATED})::integer as count, 0 as successes`,
};

const PARAMETERS_OF: Readonly<Record<Signal, readonly ('start' | 'end' | 'threshold')[]>> = {
  delivery_rate: ['start', 'end'],
  log: ['start', 'end', 'threshold'],
  error: ['start'],
  silence: ['start', 'end'],
  runtime: [],
  offline: [],
  outdated: [],
};

const WATCHED = '(r.enabled and ($4::integer is null or r.plugin = $4))';

const READ = columns((row) => ({
  recordId: row.number('r.id'),
  projectId: row.number('r.project_id'),
  isEnabled: row.flag(WATCHED),
  isDeleted: row.flag('r.deleted'),
  updatedAt: row.date('r.updated_at'),
  recent: row.textOrNull('s.recent'),
  firing: row.textOrNull('s.firing'),
  count: row.numberOrNull('w.count'),
  successes: row.numberOrNull('w.successes'),
}));

/** Unnamed, so each window is planned separately, which locks only the partitions of its days. */
function readSamplesOf(signal: Signal): Statement {
  return {
    name: '',
    text: `select ${READ.sql}
  from unnest($1::bigint[]) n (id)
  cross join lateral (select * from config_record r where r.id = n.id limit 1) r
  left join lateral (select * from alert_state s where s.alert_id = $3 and s.record_id = r.id limit 1) s on true
  left join lateral (${SAMPLES[signal]}) w on ${WATCHED}
  where case when $2::bigint = ${SERVICE} then exists (select from project p where p.id = r.project_id) else r.project_id = $2 end`,
  };
}

/** A record, and the project whose runtimes run it. */
export interface ReadRecord extends EvaluatedRecord {
  readonly projectId: number;
}

/**
 * Reads the states of records, and what the window before `at` shows about them. Samples of the signal `runtime` are 0.
 * @throws DomainError that `isTimeout` recognises, if that takes too long
 */
export async function readSamples(
  pool: pg.Pool,
  alert: Alert,
  { recordIds, at }: { readonly recordIds: readonly number[]; readonly at: Date },
): Promise<readonly ReadRecord[]> {
  const parameters = [recordIds, alert.projectId, alert.id, alert.plugin, ...parametersOf(alert, at)];
  const statement = readSamplesOf(alert.signal);
  const rows = await inTransaction(pool, BEGIN, (client) => run(client, statement, parameters));
  return rows.map((row) => {
    const { projectId, recordId, isEnabled, isDeleted, updatedAt, recent, firing, count, successes } =
      READ.read(row);
    const state = stateOf(recent, firing);
    const presence = isDeleted ? 'deleted' : isEnabled ? 'enabled' : 'disabled';
    const sample = { count: count ?? 0, successes: successes ?? 0 };
    return { projectId, recordId, presence, updatedAt, state, sample };
  });
}

const FAMILY_READ = columns((row) => ({
  recordId: row.number('n.id'),
  watchedSince: row.dateOrNull('w.since'),
  recent: row.textOrNull('s.recent'),
  firing: row.textOrNull('s.firing'),
  count: row.number('t.count'),
}));

const READ_FAMILIES = prepared('read_families_of_alert')`select ${FAMILY_READ.sql}
  from unnest($1::bigint[]) n (id)
  join project p on p.id = -n.id
  cross join lateral (
    select count(*) from ${runtimesOf('p.id')} t where t.family = $2 and t.last_seen_at > $3::timestamptz
  ) t
  cross join lateral (
    select min(r.updated_at) as since from config_record r
    where r.project_id = p.id and r.family = $2 and r.enabled and not r.deleted
      and ($5::integer is null or r.plugin = $5) and $6::boolean
  ) w
  left join alert_state s on s.alert_id = $4 and s.record_id = n.id`;

/**
 * Reads the states of an alert about families, and how many of their runtimes have reported in the window before `at`. An alert on
 * all projects, or on a plugin, watches only those families in which a record is enabled.
 */
export async function readFamilies(
  pool: pg.Pool,
  alert: Alert,
  { recordIds, at }: { readonly recordIds: readonly number[]; readonly at: Date },
): Promise<readonly EvaluatedRecord[]> {
  const { projectId, family, id, plugin, updatedAt } = alert;
  const needsRecords = projectId === SERVICE || plugin !== null;
  const start = windowStart(alert, at).toISOString();
  const rows = await run(pool, READ_FAMILIES, [recordIds, family, start, id, plugin, needsRecords]);
  return rows.map((row) => {
    const { recordId, watchedSince, recent, firing, count } = FAMILY_READ.read(row);
    return {
      recordId,
      presence: needsRecords && watchedSince === null ? 'disabled' : 'enabled',
      updatedAt: watchedSince !== null && watchedSince > updatedAt ? watchedSince : updatedAt,
      state: stateOf(recent, firing),
      sample: { count, successes: 0 },
    };
  });
}

function stateOf(recent: string | null, firing: string | null): AlertState {
  return recent === null
    ? CALM
    : { recent: [...recent].map((digit) => digit === '1'), firing: firing === 't' };
}

function parametersOf(alert: Alert, at: Date): readonly Parameter[] {
  const values = {
    start: windowStart(alert, at).toISOString(),
    end: at.toISOString(),
    threshold: alert.threshold,
  };
  return PARAMETERS_OF[alert.signal].map((name) => values[name]);
}
