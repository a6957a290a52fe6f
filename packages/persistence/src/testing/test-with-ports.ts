import { DAY_MS } from '@plugin-config/domain';
import type { Ports, TestWith } from '@plugin-config/testing';
import { test } from 'vitest';
import { postgresLogEntryStore, postgresPorts, type Database } from '../index.ts';
import { databaseOfFile } from './database-of-file.ts';

/** Returns a `test` that gets the ports on the database of the file, which is emptied first. */
export function testWithPorts(): TestWith<Ports> {
  const withEmptied = databaseOfFile();
  return (name, run) => test(name, () => withEmptied((database) => run(portsOf(database))));
}

export function portsOf(database: Database) {
  return {
    ...postgresPorts(database),
    logs: postgresLogEntryStore({ ...database, searchTimeoutMs: 5000 }),
    passTime: (milliseconds: number) => passIn(database, milliseconds),
  } satisfies Ports;
}

/** Makes all stored rows older, because the clock of PostgreSQL cannot be set. */
async function passIn({ pool }: Database, milliseconds: number): Promise<void> {
  const columns = {
    job: ['created_at', 'started_at', 'finished_at', 'open_at'],
    task: ['due_at', 'lease_until'],
    activity: ['created_at'],
    kept_response: ['kept_at'],
    webhook: ['failing_since'],
    webhook_dispatch: ['created_at', 'due_at', 'finished_at'],
  };
  for (const [table, moments] of Object.entries(columns)) {
    const older = moments.map((column) => `${column} = ${column} - interval '${milliseconds} milliseconds'`);
    await pool.query(`update ${table} set ${older.join(', ')}`);
  }
  const days = Math.round(milliseconds / DAY_MS);
  const partitions = `(select count(*) from pg_inherits where inhparent = 'delivery_report'::regclass)`;
  await pool.query(`update delivery_report set day_number = mod(day_number - ${days} + 1000, ${partitions})`);
}
