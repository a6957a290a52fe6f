import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test as base } from 'vitest';
import {
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
  type RunningPostgres,
  startEmbeddedPostgres,
} from './index.ts';

type Defer = (cleanUp: () => Promise<void>) => void;

async function makeFolder(mode: number, defer: Defer = onTestFinished): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  await chmod(parent, mode);
  const dataDir = join(parent, 'data');
  defer(() => rm(parent, { recursive: true }));
  return dataDir;
}

async function started(
  options: EmbeddedPostgresOptions,
  defer: Defer = onTestFinished,
): Promise<RunningPostgres> {
  const database = await startEmbeddedPostgres({ durable: false, ...options });
  defer(() => database.stop());
  return database;
}

interface Fixtures {
  /** A database after its first start, for tests that leave it running. */
  readonly shared: RunningPostgres & { readonly dataDir: string };
  /** A data directory with a cluster, which is slow to create. Tests take turns using it. */
  readonly used: string;
}

const test = base.extend<Fixtures>({
  shared: [
    async ({}, use) => {
      await using resources = new AsyncDisposableStack();
      const defer: Defer = (cleanUp) => resources.defer(cleanUp);
      const dataDir = await makeFolder(0o755, defer);
      await use({ dataDir, ...(await started({ dataDir }, defer)) });
    },
    { scope: 'file' },
  ],
  used: [
    async ({}, use) => {
      await using resources = new AsyncDisposableStack();
      const dataDir = await makeFolder(0o755, (cleanUp) => resources.defer(cleanUp));
      await (await openEmbeddedPostgres({ dataDir, durable: false })).close();
      await use(dataDir);
    },
    { scope: 'file' },
  ],
});

async function query(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Stores a row. Returns a query that reads it. */
async function storeRow(url: string): Promise<string> {
  const table = `kept_${crypto.randomUUID().replaceAll('-', '')}`;
  await query(url, `create table ${table} as select 42 as n`);
  return `select n from ${table}`;
}

const untilStopped = (url: string): Promise<void> =>
  expect.poll(() => query(url, 'select 1').catch(String)).toContain('ECONNREFUSED');

test('the first start creates a UTF-8 database in UTC that sorts by bytes and folds the case of all letters', async ({
  shared: { url },
}) => {
  const settings = `select current_setting('server_encoding'), current_setting('timezone'), lower('É'), 'a' > 'B'`;
  expect(await query(url, settings)).toEqual(['UTF8', 'UTC', 'é', true]);
});

test('a restart keeps the data, even inside a private folder', async () => {
  const dataDir = await makeFolder(0o700);
  const first = await started({ dataDir });
  const stored = await storeRow(first.url);
  await first.stop();
  const second = await started({ dataDir });
  expect(await query(second.url, stored)).toEqual([42]);
});

test('a private file holds the address while the database runs', async ({ used: dataDir }) => {
  const database = await started({ dataDir });
  const file = join(dataDir, 'database-url');
  expect((await readFile(file, 'utf8')).trim()).toBe(database.url);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await database.stop();
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test('other users cannot read the data directory', async ({ shared: { dataDir } }) => {
  expect((await stat(dataDir)).mode & 0o027).toBe(0);
  expect((await stat(join(dataDir, 'database-password'))).mode & 0o777).toBe(0o600);
});

test('a wrong password is rejected', async ({ shared: { url } }) => {
  const wrong = Object.assign(new URL(url), { password: 'guess' });
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
});

test('a killed database restarts at the same address with all committed data', async ({ used }) => {
  const database = await openEmbeddedPostgres({ dataDir: used, durable: true });
  const first = await database.launch();
  await first.ready;
  const stored = await storeRow(database.url);
  process.kill(first.pid, 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, how: 'killed by SIGKILL' });
  const second = await database.launch();
  onTestFinished(() => second.stop().then(database.close));
  await second.ready;
  expect(await query(database.url, stored)).toEqual([42]);
});

test('a killed database restarts even if one of its backends is still running a long query', async ({
  used,
}) => {
  const database = await openEmbeddedPostgres({ dataDir: used, durable: false });
  const first = await database.launch();
  await first.ready;
  const busy = query(database.url, 'select count(*) from generate_series(1, 1e11::bigint)').catch(String);
  await expect
    .poll(() => query(database.url, `select count(*)::int from pg_stat_activity where query ~ '1e11::'`))
    .toEqual([2]);
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await database.launch();
  onTestFinished(() => second.stop().then(database.close));
  await second.ready;
  expect(await busy).toContain('Connection terminated');
});

test('a database that was left running is stopped and started again', async ({ used: dataDir }) => {
  const left = await openEmbeddedPostgres({ dataDir, durable: false });
  const postmaster = await left.launch();
  await postmaster.ready;
  await left.close();
  const database = await started({ dataDir });
  expect(await postmaster.exited).toEqual({ code: 0, how: 'exited with code 0' });
  expect(await query(database.url, 'select 1')).toEqual([1]);
});

test('two data directories can run at the same time', async ({ shared, used }) => {
  const second = await started({ dataDir: used });
  expect(second.port).not.toBe(shared.port);
  expect(await query(shared.url, 'select 1')).toEqual([1]);
  expect(await query(second.url, 'select 1')).toEqual([1]);
});

test('a second process is rejected while the first runs, and can start once the first has been killed', async ({
  used: dataDir,
}) => {
  const owner = startedElsewhere(dataDir);
  const url = String(await once(owner.stdout ?? owner, 'data'));
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('is in use by another process');
  owner.kill('SIGKILL');
  await untilStopped(url);
  const database = await started({ dataDir });
  expect(await query(database.url, 'select 1')).toEqual([1]);
});

function startedElsewhere(dataDir: string): ChildProcess {
  const embedded = JSON.stringify(new URL('./index.ts', import.meta.url).href);
  const program = `
    const { startEmbeddedPostgres } = await import(${embedded});
    process.stdout.write((await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false })).url);
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('a failed start reports the reason', async ({ used: dataDir }) => {
  const settings = { shared_buffers: 'plenty' };
  await expect(startEmbeddedPostgres({ dataDir, durable: false, settings })).rejects.toThrow(
    'The database did not start: FATAL:  invalid value for parameter "shared_buffers": "plenty"',
  );
});

test('a data directory that cannot be created is rejected with a hint', async () => {
  const dataDir = join(await makeFolder(0o755), 'file', 'data');
  await mkdir(dirname(dirname(dataDir)));
  await writeFile(dirname(dataDir), '');
  await expect(startEmbeddedPostgres({ dataDir, durable: false })).rejects.toThrow(
    /\/data cannot be used \((ENOTDIR|EEXIST).*\): make it a folder that you may write to, or set another DATA_DIR\.$/,
  );
});

test('a cluster whose creation was interrupted is created again', async () => {
  const dataDir = await makeFolder(0o755);
  const signal = AbortSignal.timeout(100);
  await expect(startEmbeddedPostgres({ dataDir, durable: false, signal })).rejects.toThrow('aborted');
  const database = await started({ dataDir });
  expect(await query(database.url, 'select 1')).toEqual([1]);
});
