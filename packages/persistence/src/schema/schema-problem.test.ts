import { expect, onTestFinished, test } from 'vitest';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { emptyDatabase } from '../testing/empty-database.fixture.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { openDatabase } from './open-database.ts';
import { schemaProblem } from './schema-problem.ts';

const LAST = migrations.at(-1)?.name ?? '';
const AHEAD = '9999-of-the-future';

async function openAt(url: string) {
  const database = await openDatabase({ url, poolSize: 1 });
  onTestFinished(() => database.close());
  return database;
}

test('an empty database is refused with the command that migrates it', async () => {
  const database = await openAt(await emptyDatabase());
  expect(await schemaProblem(database)).toBe(
    'The schema of the database is older than this code: bring it up to date with npm run --silent cli -- migrate',
  );
});

test('a migrated database is not refused', () =>
  withDatabase(async (database) => {
    expect(await schemaProblem(database)).toBeNull();
  }));

const ANOTHER = 'The schema of the database was made by an unreleased version, whose migration ';

test.each([
  ['without checksums', 'alter table schema_migration drop column checksum', migrations[0]?.name],
  ['with another text', `update schema_migration set checksum = 'x' where name = '${LAST}'`, LAST],
  ['with other functions', `update schema_migration set functions = 'x' where name = '${LAST}'`, LAST],
])('migrations of the same names %s are refused, also by migrate', (_, change, name) =>
  withDatabase(async (database, url) => {
    await database.pool.query(change);
    const line = `${ANOTHER}${name} was another one: run that version, or use a new database.`;
    expect(await schemaProblem(database)).toBe(line);
    await expect(migrate(url)).rejects.toThrow(line);
  }),
);

test('a newer schema is refused, also by migrate, unless it still suits this code', () =>
  withDatabase(async (database, url) => {
    await database.pool.query(`insert into schema_migration (name, checksum) values ('${AHEAD}', 'x')`);
    const line = `The schema of the database is newer than this code (${AHEAD}): run the version that migrated it, or a newer one.`;
    expect(await schemaProblem(database)).toBe(line);
    await expect(migrate(url)).rejects.toThrow(line);
    await database.pool.query(`update schema_migration set oldest_code = '${LAST}' where name = '${AHEAD}'`);
    expect(await schemaProblem(database)).toBeNull();
    expect(await migrate(url)).toEqual([]);
  }));

test('a migration may change functions of the migrations before it', () =>
  withDatabase(async (database) => {
    await database.pool.query(`update schema_migration set functions = 'x' where name <> '${LAST}'`);
    expect(await schemaProblem(database)).toBeNull();
  }));
