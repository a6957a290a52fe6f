import { openDatabase } from '@plugin-config/persistence';
import { createTestDatabase, emptyTables, TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, test as base, vi } from 'vitest';
import { run } from './cli.ts';
import { startCommand } from './start-command.ts';

export const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process with exactly this environment, which is ten times as fast as starting another process. */
export async function command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  using stdout = capture(process.stdout);
  using stderr = capture(process.stderr);
  return { code: await run(args, env, [startCommand]), stdout: stdout.text(), stderr: stderr.text() };
}

/** Captures all writes to the stream instead of passing them on, until disposed. */
function capture(stream: NodeJS.WriteStream): Disposable & { text(): string } {
  let written = '';
  const write = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    written += String(chunk);
    return true;
  });
  return { text: () => written, [Symbol.dispose]: () => write.mockRestore() };
}

interface Call {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly cwd?: string;
  readonly execArgv?: readonly string[];
}

/** Runs the command as a process with exactly this environment, for tests that need a real process. */
export async function commandProcess(
  args: readonly string[],
  { env = {}, input = '', cwd, execArgv = [] }: Call = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [...execArgv, MAIN, ...args], { env, cwd: cwd ?? tmpdir() });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

export async function query(databaseUrl: string, sql: string): Promise<readonly unknown[]> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    return (await database.pool.query(sql)).rows;
  } finally {
    await database.close();
  }
}

const connectionsTo = (databaseUrl: string): string =>
  `select application_name, query from pg_stat_activity
  where datname = '${new URL(databaseUrl).pathname.slice(1)}' and backend_type = 'client backend'`;

interface Fixtures {
  readonly databaseOfFile: string;
  /** The URL of an empty, migrated database, which the tests of a file share. It is emptied before each test. */
  readonly databaseUrl: string;
  /** Runs the command on that database, in this process. The test fails if a connection stays open. */
  readonly cli: (args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<Outcome>;
}

export const test = base.extend<Fixtures>({
  databaseOfFile: [
    async ({}, use) => {
      const database = await createTestDatabase(inject('databaseAdminUrl'));
      await use(database.url);
      await database.drop();
    },
    { scope: 'file' },
  ],
  databaseUrl: async ({ databaseOfFile }, use) => {
    const database = openDatabase({ url: databaseOfFile, poolSize: 1 });
    await emptyTables(database);
    await database.close();
    await use(databaseOfFile);
  },
  cli: async ({ databaseUrl }, use) => {
    await use((args, env) =>
      command(args, { DATABASE_URL: databaseUrl, SECRETS_KEYS: TEST_SECRETS_KEYS, ...env }),
    );
    await expect.poll(() => query(inject('databaseAdminUrl'), connectionsTo(databaseUrl))).toEqual([]);
  },
});
