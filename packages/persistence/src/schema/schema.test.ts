import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, test } from 'vitest';
import config, { DESCRIBED_SCHEMA } from '../../mikro-orm.config.ts';
import { catalogueOf } from './catalogue.fixture.ts';
import { migrate } from './migrate.ts';
import { FUNCTIONS, migrations } from './sql-files.ts';
import { schemaProblem } from './schema-problem.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { emptyDatabase, executeAt } from '../testing/empty-database.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();
const NAMES = migrations.map(({ name }) => name);

test('the tables of the migrated schema match the entities', () =>
  withEmptied(async (_, url) => {
    expect(await differenceFromEntities(url)).toBe('');
  }));

test('the parts of the schema that entities cannot describe match catalogue.sql', () =>
  withEmptied(async ({ pool }) => {
    await expect(await catalogueOf(pool)).toMatchFileSnapshot('./catalogue.sql');
  }));

test('the MikroORM CLI finds no differences and no pending migrations', { tags: ['long'] }, () =>
  withEmptied(async (_, url) => {
    const packageFolder = join(import.meta.dirname, '../..');
    const command = join(packageFolder, 'node_modules/@mikro-orm/cli/cli.js');
    const orm = async (...parameters: readonly string[]) => {
      const env = { ...process.env, DATABASE_URL: url, NO_COLOR: '1' };
      const options = { cwd: packageFolder, env };
      return (await promisify(execFile)(process.execPath, [command, ...parameters], options)).stdout;
    };
    const [check, update, list] = [
      await orm('migration:check'),
      await orm('schema:update', '--dump'),
      await orm('migration:list'),
    ];
    expect(check).toContain('No changes required, schema is up-to-date');
    expect(update).toContain('Schema is up-to-date');
    for (const name of NAMES) expect(list).toContain(name);
  }),
);

test('migration:create writes the missing changes to the next file', () =>
  withDatabase(async ({ pool }, url) => {
    await pool.query('alter table plugin drop column icon');
    const folder = await mkdtemp(join(tmpdir(), 'migration-'));
    const orm = await MikroORM.init({ ...config, clientUrl: url });
    try {
      expect(await orm.migrator.getPending()).toEqual([]);
      const { fileName } = await orm.migrator.create(folder, false, false, 'icon');
      expect(fileName).toBe(`${String(migrations.length + 1).padStart(4, '0')}-icon.sql`);
      expect(await readFile(join(folder, fileName), 'utf8')).toBe(
        '-- From the entities.\nalter table "plugin" add "icon" text null;\n',
      );
    } finally {
      await orm.close();
      await rm(folder, { recursive: true });
    }
  }));

test.each([
  ['table', 'create table other (id integer)'],
  ['missing table', 'drop table log_follower'],
  ['column', 'alter table log_follower add column other text'],
  ['type', 'alter table dead_letter alter column text type varchar'],
  ['precision', 'alter table job alter column created_at type timestamptz(6)'],
  ['nullability', 'alter table job alter column error set not null'],
  ['default', 'alter table task alter column attempts set default 7'],
  ['identity', 'alter table activity alter column id drop identity'],
  [
    'generated column',
    `alter table activity drop column changes_bytes;
     alter table activity add column changes_bytes integer generated always as (octet_length(changes::text) + 1) stored not null`,
  ],
  [
    'primary key',
    'alter table config_revision drop constraint config_revision_pkey, add constraint config_revision_pkey primary key (number, record_id)',
  ],
  ['unique constraint', 'alter table api_key drop constraint api_key_hash_key'],
  [
    'foreign key',
    `alter table job drop constraint job_record_id_fkey;
     alter table job add constraint job_record_id_fkey foreign key (record_id) references config_record (id) on delete cascade`,
  ],
  [
    'check',
    'alter table job drop constraint job_attempts_check, add constraint job_attempts_check check (attempts >= 1)',
  ],
  ['index', 'drop index log_entry_kind_index'],
  [
    'condition of an index',
    'drop index task_waiting_index; create index task_waiting_index on task (kind, due_at)',
  ],
  [
    'covering index',
    'drop index job_record_index; create index job_record_index on job (record_id, created_at, id)',
  ],
])('the comparison with the entities detects a changed %s', (_, drift) =>
  withDatabase(async ({ pool }, url) => {
    await pool.query(drift);
    expect(await differenceFromEntities(url)).not.toBe('');
  }),
);

test.each([
  ['function', 'create function other() returns integer language sql return 1'],
  [
    'trigger',
    'create trigger other before update on plugin for each row execute function suppress_redundant_updates_trigger()',
  ],
  ['kind of table', 'alter table log_follower set unlogged'],
  ['setting of a table', 'alter table config_family set (fillfactor = 90)'],
  ['partitioned table', 'drop table log_entry; create table log_entry (id integer primary key)'],
  ['primary key', 'alter table activity drop constraint activity_pkey'],
  ['index on an expression', 'create index other_index on plugin (lower(name))'],
  ['collation of a column', 'alter table plugin alter column name type text collate "C"'],
  ['sequence', 'drop sequence log_follow_epoch_seq'],
])('the catalogue shows a changed %s', (_, drift) =>
  inRolledBackTransaction(async (client) => {
    const before = await catalogueOf(client);
    await client.query(drift);
    expect(await catalogueOf(client)).not.toBe(before);
  }),
);

test('a later migration can recreate each function', () =>
  inRolledBackTransaction(async (client) => {
    const before = await catalogueOf(client);
    for (const text of FUNCTIONS) await client.query(text);
    expect(await catalogueOf(client)).toBe(before);
  }));

test('a second migration applies nothing', () =>
  withEmptied(async (database, url) => {
    expect(await migrate(url)).toEqual([]);
    expect(await schemaProblem(database)).toBeNull();
  }));

test('concurrent deployments run each migration once', async () => {
  const url = await emptyDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat()).toEqual(NAMES);
});

test('a failed migration is rolled back and can be repeated', async () => {
  const url = await emptyDatabase();
  await executeAt(url, 'create table job (id integer)');
  await expect(migrate(url)).rejects.toThrow('already exists');
  await executeAt(url, 'drop table job');
  expect(await migrate(url)).toEqual(NAMES);
});

test('a concurrent migration is reported and waited for, up to a time limit', async () => {
  const url = await emptyDatabase();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('begin; select pg_advisory_xact_lock(7305815204118311)');
  const lines: string[] = [];
  const giveUp = migrate(url, { waitMs: 200, onWait: (line) => lines.push(line) });
  await expect(giveUp).rejects.toThrow(
    /^Another process has been migrating this database for more than 0\.2 s: .* migrate again\.$/,
  );
  const waiting = migrate(url, { onWait: (line) => lines.push(line) });
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[0]).toBe(
    'Another process is already migrating this database: waiting for it, for up to 0.2 s.',
  );
  await other.end();
  expect(await waiting).toEqual(NAMES);
});

/** Runs a test in a transaction on the database of the file, which is rolled back. */
function inRolledBackTransaction(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  return withEmptied(async ({ pool }) => {
    const client = await pool.connect();
    await client.query('begin');
    try {
      await work(client);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
}

/** Returns the statements that would make the schema match the entities. */
async function differenceFromEntities(url: string): Promise<string> {
  const orm = await MikroORM.init({ clientUrl: url, ...DESCRIBED_SCHEMA });
  try {
    return await orm.schema.getUpdateSchemaSQL({ wrap: false });
  } finally {
    await orm.close();
  }
}
