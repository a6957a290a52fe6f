import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 20;
const NO_SUCH_DATABASE = '3D000';
const STARTING_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03', NO_SUCH_DATABASE]);

/**
 * Retries to connect until the server accepts or `ended` aborts, and creates the database if it does not exist. There is no
 * time limit, because recovery may take long.
 */
export async function untilAnswering(url: URL, ended: AbortSignal): Promise<void> {
  for (;;) {
    const problem = await connectOnce(url);
    ended.throwIfAborted();
    if (problem === undefined) return;
    if (!STARTING_CODES.has(codeOf(problem))) throw problem;
    if (codeOf(problem) === NO_SUCH_DATABASE) await createDatabase(url);
    else await sleep(POLL_MS, undefined, { signal: ended });
  }
}

async function connectOnce(url: URL): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url.href, ssl: false });
  client.on('error', () => {});
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(url: URL): Promise<void> {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href, ssl: false });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(url.pathname.slice(1))}`);
  } finally {
    await client.end();
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
