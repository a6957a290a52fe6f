import type { LogEntry, LogOutbox } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { run, type Statement } from '../postgres/statement.ts';

/** The limits of a chunk: lines and bytes per project, and projects. */
const CHUNK = { lines: 100, bytes: 256 * 1024, projects: 20 };
const LEASE_SECONDS = 30;

const LINE = columns((row): LogEntry => ({
  id: row.text('o.id'),
  projectId: row.number('o.project_id'),
  recordId: row.number('o.record_id'),
  timestamp: row.date('o.timestamp'),
  plugin: row.number('o.plugin'),
  source: row.text('o.source'),
  type: row.text('o.type'),
  message: row.text('o.message'),
  instanceId: row.text('o.instance_id'),
}));

/** Leases due lines. Skips from project to project in the index, so many lines in one do not matter. */
export const TAKE_LINES: Statement = {
  name: 'take_log_lines',
  text: `with recursive turn (project_id) as (
    (
      select o.project_id from log_outbox o
      where o.project_id > $1 and o.due_at <= statement_timestamp() order by o.project_id limit 1
    )
    union all
    select n.project_id from turn t cross join lateral (
      select o.project_id from log_outbox o
      where o.project_id > t.project_id and o.due_at <= statement_timestamp() order by o.project_id limit 1
    ) n
  ),
  due as materialized (
    select sized.id from (select project_id from turn limit ${CHUNK.projects}) t
    cross join lateral (
      select o.id, sum(octet_length(o.message)) over (order by o.due_at, o.id) - octet_length(o.message) as ahead
      from (
        select * from log_outbox o where o.project_id = t.project_id and o.due_at <= statement_timestamp()
        order by o.due_at, o.id limit ${CHUNK.lines} for no key update skip locked
      ) o
    ) sized
    where sized.ahead < ${CHUNK.bytes}
  )
  update log_outbox o set due_at = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
  where o.id = any (array(select due.id from due))
  returning ${LINE.sql}`,
};

const REMOVE_LINES: Statement = {
  name: 'remove_log_lines',
  text: 'delete from log_outbox where id = any ($1::uuid[])',
};

/** Starts each chunk after the last project of the previous chunk, so low ids have no advantage. */
export function postgresLogOutbox({ pool }: Pick<Database, 'pool'>): LogOutbox {
  let lastProject = 0;
  const takeAfter = async (projectId: number): Promise<readonly LogEntry[]> => {
    return (await run(pool, TAKE_LINES, [projectId])).map((row) => LINE.read(row));
  };
  return {
    take: async () => {
      let lines = await takeAfter(lastProject);
      if (lines.length === 0 && lastProject > 0) lines = await takeAfter(0);
      lastProject = Math.max(0, ...lines.map(({ projectId }) => projectId));
      return lines;
    },
    remove: async (lines) => void (await run(pool, REMOVE_LINES, [lines.map(({ id }) => id)])),
  };
}

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
