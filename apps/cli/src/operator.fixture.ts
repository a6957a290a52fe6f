import { openDatabase } from '@plugin-config/persistence';
import { createTestDatabase } from '@plugin-config/persistence/testing';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inject, test as base } from 'vitest';

export const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Call {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly cwd?: string;
  readonly execArgv?: readonly string[];
}

/** Runs the command as a process with exactly this environment. */
export async function operator(
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
  const database = await openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    return (await database.pool.query(sql)).rows;
  } finally {
    await database.close();
  }
}

interface Fixtures {
  /** The URL of an empty, migrated database, one for each test. */
  readonly databaseUrl: string;
  /** Runs the command on that database. */
  readonly cli: (args: readonly string[], call?: Call) => Promise<Outcome>;
}

export const test = base.extend<Fixtures>({
  databaseUrl: async ({}, use) => {
    const database = await createTestDatabase(inject('databaseAdminUrl'));
    await use(database.url);
    await database.drop();
  },
  cli: async ({ databaseUrl }, use) => {
    await use((args, call = {}) =>
      operator(args, { ...call, env: { DATABASE_URL: databaseUrl, ...call.env } }),
    );
  },
});
