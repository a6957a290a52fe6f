import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { startApp } from '../app-process.ts';
import { issueToken } from '../issue-token.ts';
import { median } from '../median.ts';
import { seedRecords } from '../seed-records.ts';
import { fillLogs } from './fill-logs.ts';
import { LARGE_RECORDS, LARGE_SHARE, RECORDS } from './log-of-records.ts';
import { pageReader, type LogPage, type PageReader } from './page-reader.ts';
import { pageCases, searchCases, type PageCase } from './page-cases.ts';

export interface LogPagesOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  /** The number of entries of all records. */
  readonly table: number;
}

export interface PageResult extends Pick<PageCase, 'log' | 'query'> {
  readonly milliseconds: number;
  /** The number of responses with a wrong count or wrong entries. */
  readonly errors: number;
}

const REQUESTS_A_ROUND = 100;
/** A search may take seconds. */
const ROUND_MS = 5_000;
const SEARCH_TIMEOUT_MS = '60000';

/** Measures all pages in each round, one request at a time. */
export async function benchLogPages({
  databaseUrl,
  rounds,
  table,
}: LogPagesOptions): Promise<readonly PageResult[]> {
  const filledAt = await prepareLogs(databaseUrl, table);
  return readPages({ databaseUrl, rounds, table, filledAt });
}

interface PagesToRead extends LogPagesOptions {
  readonly filledAt: number;
  /** Additional settings of the app. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Reads pages of the large logs over HTTP. */
export async function readPages({
  databaseUrl,
  rounds,
  table,
  filledAt,
  env,
}: PagesToRead): Promise<readonly PageResult[]> {
  const entries = Math.ceil(table / LARGE_SHARE);
  const pages = [
    ...pageCases('even hours', entries),
    ...pageCases('one hour', entries),
    ...searchCases(entries, filledAt),
  ];
  const token = await issueToken(databaseUrl, 'plugin:read');
  const app = await startApp('http', {
    DATABASE_URL: databaseUrl,
    LOG_SEARCH_TIMEOUT_MS: SEARCH_TIMEOUT_MS,
    ...env,
  });
  const read = pageReader(`http://127.0.0.1:${app.port}/api/projects/1/plugin_configs`, token);
  const results = pages.map((wanted) => ({ wanted, responses: [] as TimedResponse[] }));
  try {
    for (const { wanted } of results) await readOften(read, wanted);
    for (let round = 1; round <= rounds; round++) {
      for (const { wanted, responses } of results) responses.push(...(await readOften(read, wanted)));
    }
  } finally {
    await app.stop();
  }
  return results.map(({ wanted: { log, query }, responses }) => ({
    log,
    query,
    milliseconds: median(responses.map(({ milliseconds }) => milliseconds)),
    errors: responses.filter(({ isCorrect }) => !isCorrect).length,
  }));
}

interface TimedResponse {
  readonly milliseconds: number;
  readonly isCorrect: boolean;
}

async function readOften(read: PageReader, wanted: PageCase): Promise<readonly TimedResponse[]> {
  const responses: TimedResponse[] = [];
  const until = performance.now() + ROUND_MS;
  while (responses.length < REQUESTS_A_ROUND && performance.now() < until) {
    const { page, milliseconds } = await read(`${LARGE_RECORDS[wanted.log]}/logs/?${wanted.query}`);
    responses.push({ milliseconds, isCorrect: isExpected(page, wanted) });
  }
  return responses;
}

/** Fills the tables, and vacuums them so autovacuum does not run during the measurement. Returns when they were filled. */
export async function prepareLogs(databaseUrl: string, table: number): Promise<number> {
  const filledAt = Date.now();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seedRecords(databaseUrl, 1, RECORDS);
  await fillLogs(databaseUrl, table);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
  return filledAt;
}

function isExpected({ count, results }: LogPage, wanted: PageCase): boolean {
  return (
    count === wanted.count &&
    isDeepStrictEqual(
      results.map(({ message }) => message),
      wanted.messages,
    )
  );
}
