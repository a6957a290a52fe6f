import { afterAll, inject } from 'vitest';
import { newConfigurations, openDatabase, type Database, type DatabaseOptions } from '../index.ts';
import { createTestDatabase, type TestDatabase } from './create-test-database.ts';
import { observeStatements } from './observe-statements.ts';
import { TEST_KEYS } from './test-keys.ts';

/**
 * Empties all tables without firing triggers, and drops the days of logs, which the stores recreate. Fails after five seconds if an
 * earlier test left a transaction open.
 */
const EMPTY = `
begin;
set local lock_timeout = '5s';
set local session_replication_role = replica;
do $$
declare item record; has_rows boolean;
begin
  for item in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'log_entry'::regclass and c.relkind = 'r'
  loop
    execute format('drop table %s', item.name);
  end loop;
  for item in
    select c.oid::regclass as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('schema_migration', 'timeline')
      and pg_relation_size(c.oid) > 0
  loop
    execute format('select exists (select from %s)', item.name) into has_rows;
    if has_rows then execute format('delete from %s', item.name); end if;
  end loop;
  perform setval(seqrelid, seqstart, false) from pg_sequence;
end $$;
commit`;

export async function emptyTables({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query(EMPTY);
}

/**
 * Returns a function that runs a test on the database of the file, which is emptied first. This is many times faster than a new
 * database for each test. Only for tests that leave nothing running.
 */
export function databaseOfFile({ onStatement, ...options }: TestDatabaseOptions = {}): (
  run: (database: Database, url: string) => Promise<void>,
) => Promise<void> {
  let opened: Promise<OpenDatabase> | undefined;
  const open = async (): Promise<OpenDatabase> => {
    const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
    const database = openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS, ...options });
    if (onStatement !== undefined) observeStatements(database, onStatement);
    return { database, url, drop };
  };
  afterAll(async () => {
    const { database, drop } = (await opened) ?? {};
    await database?.close();
    await drop?.();
  });
  return async (run) => {
    const { database, url } = await (opened ??= open());
    await emptyTables(database);
    await run(withEmptyCaches(database), url);
  };
}

/** The projects and plugins of different tests have the same ids, but different keys and names. */
function withEmptyCaches(database: Database): Database {
  const configurations = newConfigurations(database);
  return { ...database, configurations, dry: { ...database.dry, configurations } };
}

export interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** Called with the text of each sent statement. */
  readonly onStatement?: (text: string) => void;
}

interface OpenDatabase extends TestDatabase {
  readonly database: Database;
}
