import { afterAll, inject } from 'vitest';
import { newConfigurations, openDatabase, type Database, type DatabaseOptions } from '../index.ts';
import { createTestDatabase, type TestDatabase } from './create-test-database.ts';
import { TEST_KEYS } from './test-keys.ts';

/**
 * Fails after five seconds if an earlier test left a transaction open. Fires no triggers. Drops the partitions; the stores
 * make them again.
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
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  loop
    execute format('drop table %s', item.name);
  end loop;
  for item in
    select c.oid::regclass as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not in ('schema_migration', 'timeline')
  loop
    execute format('select exists (select from %s)', item.name) into has_rows;
    if has_rows then execute format('delete from %s', item.name); end if;
  end loop;
  perform setval(seqrelid, seqstart, false) from pg_sequence;
end $$;
commit`;

/**
 * Returns a function that runs a test on the database of the file, which is emptied before each test. Making a database
 * for each test takes many times as long. Only for tests that leave nothing running.
 */
export function databaseOfFile(
  options: Partial<DatabaseOptions> = {},
): (run: (database: Database, url: string) => Promise<void>) => Promise<void> {
  let opened: Promise<OpenDatabase> | undefined;
  const open = async (): Promise<OpenDatabase> => {
    const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
    return { database: openDatabase({ url, poolSize: 10, masterKeys: TEST_KEYS, ...options }), url, drop };
  };
  afterAll(async () => {
    const { database, drop } = (await opened) ?? {};
    await database?.close();
    await drop?.();
  });
  return async (run) => {
    const { database, url } = await (opened ??= open());
    await database.pool.query(EMPTY);
    await run(withoutMemory(database), url);
  };
}

/** The projects and plugins of the next test have the ids of the last one, and other keys and names. */
function withoutMemory(database: Database): Database {
  const configurations = newConfigurations(database);
  return { ...database, configurations, dry: { ...database.dry, configurations } };
}

interface OpenDatabase extends TestDatabase {
  readonly database: Database;
}
