import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../postgres/database.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import { migrate } from './migrate.ts';
import { migrations } from './sql-files.ts';
import { openDatabase } from '../configuration/encrypted-database.ts';
import { schemaProblem } from './schema-problem.ts';

const LAST = migrations.at(-1)?.name ?? '';

const withEmptied = databaseOfFile();

/** Runs a test with changed rows about the migrations, which are restored afterwards. */
function withChangedMigrations(change: string, work: (database: Database, url: string) => Promise<void>) {
  return withEmptied(async (database, url) => {
    await database.pool.query(`create table kept as table schema_migration; ${change}`);
    try {
      await work(database, url);
    } finally {
      await database.pool.query(
        'delete from schema_migration; insert into schema_migration table kept; drop table kept',
      );
    }
  });
}

test('an empty database is rejected with the command that migrates it', async () => {
  const database = openDatabase({ url: await emptyDatabase(), poolSize: 1 });
  onTestFinished(() => database.close());
  expect(await schemaProblem(database)).toBe(
    'The schema of the database is older than this code: update it with npm run --silent cli -- migrate',
  );
});

test.each(['checksum', 'functions'])(
  'a migration with a different %s is rejected even by migrate',
  (column) =>
    withChangedMigrations(
      `update schema_migration set ${column} = 'x' where name = '${LAST}'`,
      async (database, url) => {
        const line = `The schema of the database was created by an unreleased version, with a different migration ${LAST}: run that version, or use a new database.`;
        expect(await schemaProblem(database)).toBe(line);
        await expect(migrate(url)).rejects.toThrow(line);
      },
    ),
);

test('a newer schema, which may have changed the functions, is accepted even by migrate', () =>
  withChangedMigrations(
    `insert into schema_migration (id, name, checksum, functions) values (9999, '9999-of-the-future', 'x', 'x');
     update schema_migration set functions = 'x' where name = '${LAST}'`,
    async (database, url) => {
      expect(await schemaProblem(database)).toBeNull();
      expect(await migrate(url)).toEqual([]);
    },
  ));
