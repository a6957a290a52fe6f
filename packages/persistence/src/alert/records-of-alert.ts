import { isOfFamily, ONLINE_MS, SERVICE, SPAN_MS, windowStart, type Signal } from '@plugin-config/domain';
import type pg from 'pg';
import { IS_OUTDATED } from '../configuration/plugin-columns.ts';
import { columns } from '../postgres/columns.ts';
import { run, type Parameter } from '../postgres/statement.ts';
import { servesFamily } from '../runtime/runtimes-of.ts';
import { ERRORS_OF } from './read-samples.ts';
import type { Claim } from './store-transitions.ts';

const CHUNK = 1000;

const IDS = columns((row) => row.text('array_agg(n.id order by n.id)'));

/** Parameters for the bounds of the window. A statement has only the parameters that it uses. */
interface Window {
  readonly start: () => string;
  readonly end: () => string;
}

/** SQL for whether a record `r` of any project may breach a rule, without which it need not be read. */
const MAY_BREACH: Readonly<Record<Signal, (window: Window) => string>> = {
  delivery_rate: ({ start, end }) => `r.id in (
        select s.record_id from delivery_sum s where s.span > ${start()} - interval '${SPAN_MS} milliseconds' and s.span <= ${end()}
      )`,
  log: ({ start, end }) => `r.id in (
        select h.record_id from log_hour h where h.hour > ${start()} - interval '1 hour' and h.hour <= ${end()} and ${ERRORS_OF('h')} > 0
      )`,
  error: ({ start }) =>
    `r.id in (select e.record_id from error_report e where e.error is not null and e.timestamp > ${start()})`,
  runtime: ({ end }) => {
    const isOnline = `last_seen_at > ${end()} - interval '${ONLINE_MS} milliseconds'`;
    return `((r.project_id, r.family) in (
        select t.project_id, t.family from runtime_instance t where t.${isOnline}
      ) or exists (select from runtime_host h where ${servesFamily('h', 'r')} and h.${isOnline}))`;
  },
  silence: () => 'true',
  offline: () => 'true',
  outdated: () => IS_OUTDATED,
};

/**
 * Returns the ids of the records after this one that have a state or, unless the alert is closing, may breach its rule: of a
 * project, all that are enabled. They are in chunks, which are parsed one by one. The text is unnamed, so each window is planned.
 */
export async function recordsOfAlert(
  pool: pg.Pool,
  { alert, at, closing }: Pick<Claim, 'alert' | 'at' | 'closing'>,
  after: number,
): Promise<Iterable<readonly number[]>> {
  const { id, projectId, family, recordId, plugin, signal } = alert;
  if (closing === null && recordId !== null) return [[recordId]];
  if (closing === null && isOfFamily(signal) && projectId !== SERVICE) return [[-projectId]];
  const parameters: Parameter[] = [];
  const given = (value: Parameter, type: string) => `$${parameters.push(value)}::${type}`;
  const from = given(after, 'bigint');
  const watched = isOfFamily(signal) ? '-r.project_id' : 'r.id';
  const window = {
    start: () => given(windowStart(alert, at).toISOString(), 'timestamptz'),
    end: () => given(at.toISOString(), 'timestamptz'),
  };
  const conditions = () => [
    `r.family = ${given(family, 'text')} and r.enabled and not r.deleted and ${watched} > ${from}`,
    ...(plugin === null ? [] : [`r.plugin = ${given(plugin, 'integer')}`]),
    projectId === SERVICE ? MAY_BREACH[signal](window) : `r.project_id = ${given(projectId, 'bigint')}`,
  ];
  const candidates =
    closing === null
      ? `select ${watched} from config_record r where ${conditions().join(' and ')} union `
      : '';
  const text = `select ${IDS.sql}
  from (
    select o.id, (row_number() over (order by o.id) - 1) / ${CHUNK} as chunk
    from (
      ${candidates}select s.record_id from alert_state s where s.alert_id = ${given(id, 'bigint')} and s.record_id > ${from}
    ) o (id)
  ) n
  group by n.chunk order by n.chunk`;
  const rows = await run(pool, { name: '', text }, parameters);
  return rows.values().map((row) => IDS.read(row).slice(1, -1).split(',').map(Number));
}
