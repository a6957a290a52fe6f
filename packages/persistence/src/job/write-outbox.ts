import type { LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';

const WRITE_OUTBOX: Statement = {
  name: 'write_log_outbox',
  text: `insert into log_outbox (
    id, project_id, record_id, timestamp, plugin, source, type, message, instance_id, due_at
  )
  select *, statement_timestamp() from unnest(
    $1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::integer[], $6::text[], $7::text[], $8::text[],
    $9::uuid[]
  )`,
};

/** Writes entries to the outbox within the caller's transaction. */
export async function writeOutbox(client: pg.ClientBase, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await run(client, WRITE_OUTBOX, [
    entries.map(({ id }) => id),
    entries.map(({ projectId }) => projectId),
    entries.map(({ recordId }) => recordId),
    entries.map(({ timestamp }) => timestamp.toISOString()),
    entries.map(({ plugin }) => plugin),
    entries.map(({ source }) => source),
    entries.map(({ type }) => type),
    entries.map(({ message }) => message),
    entries.map(({ instanceId }) => instanceId),
  ]);
}
