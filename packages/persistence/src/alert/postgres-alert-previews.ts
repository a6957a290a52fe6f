import {
  hasHistory,
  PREVIEW_RECORDS_MAX,
  PREVIEW_STEP_MS,
  type AlertPreviews,
  type PreviewLimits,
  type RecordHistory,
} from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { StoreDatabase } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { ROW_BY_ROW } from '../postgres/plans.ts';
import { run, type Cells, type Parameter } from '../postgres/statement.ts';
import { translateTimeout } from '../postgres/translate-error.ts';
import { ERRORS_OF, ERROR_KINDS } from './read-samples.ts';
import { requireRecord } from './require-record.ts';

const TIMEOUT_MS = 5_000;
/** The number of records to read at once. */
const CHUNK = 50;
const BEGIN = `begin read only; ${ROW_BY_ROW}; set local max_parallel_workers_per_gather = 0`;

const STEP = `interval '${PREVIEW_STEP_MS} milliseconds'`;

const stepOf = (time: string): string =>
  `floor(extract(epoch from ${time} - $4::timestamptz) * 1000 / ${PREVIEW_STEP_MS})::integer`;

const HOURS = `h.record_id = r.id and h.hour > $4::timestamptz - interval '1 hour' and h.hour < $5::timestamptz`;
const SPANS = `s.record_id = r.id and s.span >= $4::timestamptz and s.span < $5::timestamptz`;
const STEPS_PER_HOUR = 3_600_000 / PREVIEW_STEP_MS;
const EACH_STEP = `generate_series(0, ${STEPS_PER_HOUR - 1}) n (number)`;
const TIME_OF_STEP = `h.hour + n.number * ${STEP}`;
const ENTRY_IN_STEP = `e.record_id = r.id and e.timestamp >= $4::timestamptz and e.timestamp < $5::timestamptz
      and e.timestamp >= ${TIME_OF_STEP} and e.timestamp < ${TIME_OF_STEP} + ${STEP}`;

interface Source {
  /** SQL for the amount of data of a record `r` in the range from $4 to $5; null or 0 if there is none. */
  readonly amount: string;
  /** SQL that selects the records that may have incidents, the most likely first. */
  readonly selected: string;
  /** A query of the columns `step`, `count` and `successes` of a record `r`, in which steps can repeat. */
  readonly steps: string;
}

const WITH_MOST_DATA = 'a.amount > 0 order by a.amount desc';
/** A record without data is silent. */
const WITH_LEAST_DATA = 'true order by a.amount';

const SOURCES: Readonly<Record<'delivery_rate' | 'log' | 'silence', Source>> = {
  delivery_rate: {
    amount: `select sum(s.successes + s.successes_on_retry + s.failures) as amount from delivery_sum s where ${SPANS}`,
    selected: WITH_MOST_DATA,
    steps: `select ${stepOf('s.span')} as step, s.successes + s.successes_on_retry + s.failures as count,
      s.successes + s.successes_on_retry as successes
    from delivery_sum s where ${SPANS}`,
  },
  log: {
    amount: `select sum(${ERRORS_OF('h')}) as amount from log_hour h where ${HOURS}`,
    selected: WITH_MOST_DATA,
    steps: `select ${stepOf(TIME_OF_STEP)} as step, found.count, 0 as successes
    from log_hour h cross join ${EACH_STEP}
    cross join lateral (
      select count(*) as count from (
        select from log_entry e where e.kind = any (array[${ERROR_KINDS.join(', ')}]) and ${ENTRY_IN_STEP}
        limit $3::integer
      ) limited
    ) found
    where ${HOURS} and ${ERRORS_OF('h')} > 0 and found.count > 0`,
  },
  silence: {
    amount: `select (select count(*) from log_hour h where ${HOURS}) + (select count(*) from delivery_sum s where ${SPANS}) as amount`,
    selected: WITH_LEAST_DATA,
    steps: `select ${stepOf(TIME_OF_STEP)} as step, 1 as count, 0 as successes
    from log_hour h cross join ${EACH_STEP}
    where ${HOURS} and exists (select from log_entry e where ${ENTRY_IN_STEP})
    union all
    select ${stepOf('s.span')}, 1, 0 from delivery_sum s where ${SPANS}`,
  },
};

const RECORD = columns((row) => ({ id: row.number('r.id'), updatedAt: row.date('r.updated_at') }));

const recordsOf = ({ amount, selected }: Source): string => `select ${RECORD.sql}
  from config_record r cross join lateral (${amount}) a
  where r.project_id = $1 and r.family = $2 and r.enabled and not r.deleted and ($3::bigint is null or r.id = $3)
    and ($6::integer is null or r.plugin = $6)
    and ${selected}, r.id limit ${PREVIEW_RECORDS_MAX}`;

const HISTORY = columns((row) => ({
  recordId: row.number('r.id'),
  steps: row.numbers('d.steps'),
  counts: row.numbers('d.counts'),
  successes: row.numbers('d.successes'),
}));

const historyOf = ({ steps }: Source): string => `select ${HISTORY.sql}
  from unnest($1::bigint[]) r (id) cross join lateral (
    select array_agg(t.step) as steps, array_agg(t.count) as counts, array_agg(t.successes) as successes
    from (${steps}) t where t.step >= 0 and t.step < $2::integer and $3::integer is not null
  ) d`;

/** Both statements are unnamed, so each range is planned separately, which locks only the partitions of its days. */
export function postgresAlertPreviews({ pool }: Pick<StoreDatabase, 'pool'>): AlertPreviews {
  return {
    async *read(projectId, rule, { start, length }, limits) {
      const { signal, family, recordId, plugin, threshold } = rule;
      if (!hasHistory(signal)) return;
      await requireRecord(pool, projectId, rule);
      const source = SOURCES[signal];
      const end = new Date(start.getTime() + length * PREVIEW_STEP_MS);
      const bounds = [start.toISOString(), end.toISOString()];
      const chosen = [projectId, family, recordId, ...bounds, plugin];
      const rows = await readOnly(pool, recordsOf(source), chosen, limits);
      const records = rows.map((row) => RECORD.read(row));
      const updates = new Map(records.map(({ id, updatedAt }) => [id, updatedAt]));
      for (let at = 0; at < records.length && !limits.signal.aborted; at += CHUNK) {
        const ids = records.slice(at, at + CHUNK).map(({ id }) => id);
        const parameters = [ids, length, signal === 'log' ? threshold : 0, ...bounds];
        const found = await readOnly(pool, historyOf(source), parameters, limits);
        yield found.map((row) => historyIn(HISTORY.read(row), updates));
      }
    },
  };
}

function readOnly(
  pool: pg.Pool,
  text: string,
  parameters: readonly Parameter[],
  { deadline }: PreviewLimits,
): Promise<readonly Cells[]> {
  const timeoutMs = Math.ceil(Math.max(1, Math.min(deadline.remainingMs(), TIMEOUT_MS)));
  const begin = `${BEGIN}; set local statement_timeout = ${timeoutMs}`;
  return inTransaction(pool, begin, (client) => run(client, { name: '', text }, parameters)).catch(
    translateTimeout('record', 'Reading the data of all records takes too long; narrow it with record.'),
  );
}

function historyIn(
  { recordId, steps, counts, successes }: ReturnType<typeof HISTORY.read>,
  updates: ReadonlyMap<number, Date>,
): RecordHistory {
  const samples = steps.map(
    (step, i) => [step, { count: counts[i] ?? 0, successes: successes[i] ?? 0 }] as const,
  );
  return { recordId, updatedAt: updates.get(recordId) ?? new Date(0), steps: new Map(samples) };
}
