import { sourceTime, type ErrorMessage } from '@plugin-config/domain';
import type pg from 'pg';
import { ConfigRecordRow } from '../entities/config-record.row.ts';
import { numberAt } from '../postgres/columns.ts';
import { prepared, run, type Statement } from '../postgres/statement.ts';
import { fieldsOf } from '../postgres/table.ts';
import { lockFreeFamilies } from '../writing/lock-families.ts';
import { write } from '../writing/write.ts';

/** What makes an error later than another one, as `ReportStore` defines. */
const ORDER = ['timestamp', 'taken_in_at', 'position', 'error is not null', 'error collate "C"'];
const orderOf = (report: string): string => `(${ORDER.map((column) => `${report}.${column}`).join(', ')})`;

/** Keeps the latest error of each record. Locks the rows until the commit, in an order that avoids deadlocks. */
const KEEP_LATEST = prepared('keep_latest_errors')`
  insert into error_report as r (record_id, timestamp, taken_in_at, position, error)
  select distinct on (record_id) *
  from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::text[])
    as sent (record_id, timestamp, taken_in_at, position, error)
  order by record_id, ${ORDER.map((column) => `${column} desc`).join(', ')}
  on conflict (record_id) do update set
    timestamp = excluded.timestamp, taken_in_at = excluded.taken_in_at, position = excluded.position,
    error = excluded.error
  where ${orderOf('excluded')} > ${orderOf('r')}
  returning record_id`;

const CHANGED = fieldsOf(ConfigRecordRow, 'r', ['id', 'projectId', 'family']);

const FIND_CHANGED = prepared('find_changed_errors')`select ${CHANGED.sql}
  from config_record r join error_report e on e.record_id = r.id
  where r.id = any ($1::bigint[]) and r.error is distinct from e.error`;

const STORE_ERRORS: Statement = {
  name: 'store_errors',
  text: write({
    update: {
      set: 'error = e.error',
      from: 'error_report e',
      where: 'r.id = any ($1::bigint[]) and e.record_id = r.id and r.error is distinct from e.error',
    },
    entries: null,
    increments: 'family_version',
    result: 'select from written limit 0',
  }),
};

/**
 * Stores the latest error on each record. Does not touch families without a change. Returns the records in locked families,
 * which get their error when their rate is due.
 */
export async function reportErrors(
  client: pg.ClientBase,
  messages: readonly ErrorMessage[],
): Promise<readonly number[]> {
  if (messages.length === 0) return [];
  const kept = await run(client, KEEP_LATEST, [
    messages.map(({ recordId }) => recordId),
    messages.map(({ timestamp }) => new Date(timestamp).toISOString()),
    messages.map(({ origin }) => new Date(sourceTime(origin)).toISOString()),
    messages.map(({ position }) => position),
    messages.map(({ error }) => error),
  ]);
  if (kept.length === 0) return [];
  const rows = await run(client, FIND_CHANGED, [kept.map((row) => numberAt(row, 0))]);
  const changed = rows.map((row) => CHANGED.read(row));
  if (changed.length === 0) return [];
  const isLocked = await lockFreeFamilies(client, changed);
  await run(client, STORE_ERRORS, [changed.filter(isLocked).map(({ id }) => id)]);
  return changed.flatMap((record) => (isLocked(record) ? [] : [record.id]));
}
