import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ROW_COLUMNS, type EntryFiles } from './write-entries.ts';

const COPY = `copy bare_log_entry (${ROW_COLUMNS}) from`;
const READ_BYTES = 1024 * 1024;

const run = promisify(execFile);

/** Returns the version of psql; null if it is not installed. */
export async function psqlVersion(): Promise<string | null> {
  return run('psql', ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}

/** The reference: copies the rows into a plain table with the same unique index. Returns the seconds. */
export async function copyRows(client: Client, databaseUrl: string, { rows }: EntryFiles): Promise<number> {
  await client.query(`
    create table bare_log_entry (
      id uuid not null, plugin_config_id bigint not null, timestamp timestamptz not null, source text not null,
      type text not null, message text not null, instance_id uuid not null);
    create unique index on bare_log_entry (plugin_config_id, timestamp, id)`);
  await client.query('checkpoint');
  const hasPsql = (await psqlVersion()) !== null;
  const started = performance.now();
  if (hasPsql) await run('psql', [databaseUrl, '--no-psqlrc', '--command', `\\${COPY} '${rows}'`]);
  else await copyByDriver(databaseUrl, rows);
  const seconds = (performance.now() - started) / 1000;
  await client.query('drop table bare_log_entry');
  return seconds;
}

async function copyByDriver(databaseUrl: string, rows: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const input = createReadStream(rows, { highWaterMark: READ_BYTES });
  await pipeline(input, client.query(copyFrom(`${COPY} stdin`)));
  await client.end();
}
