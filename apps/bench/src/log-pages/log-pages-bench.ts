import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { startApp } from '../app-process.ts';
import { issueToken } from '../issue-token.ts';
import { median } from '../median.ts';
import { seedRecords } from '../seed-records.ts';
import { fillLogs } from './fill-logs.ts';
import { LARGE_RECORD, LARGE_SHARE, RECORDS } from './log-of-records.ts';
import { pageReader, type LogPage, type PageReader } from './page-reader.ts';
import { wantedPages, type WantedPage } from './wanted-pages.ts';

export interface LogPagesOptions {
  readonly databaseUrl: string;
  readonly rounds: number;
  /** The number of entries of all records. */
  readonly table: number;
}

export interface PageResult {
  readonly query: string;
  readonly milliseconds: number;
  /** The number of responses with a wrong count or wrong entries. */
  readonly wrong: number;
}

const REQUESTS_A_ROUND = 100;

/** Measures all pages in each round, one request at a time. */
export async function benchLogPages({
  databaseUrl,
  rounds,
  table,
}: LogPagesOptions): Promise<readonly PageResult[]> {
  await prepareLogs(databaseUrl, table);
  return readPages({ databaseUrl, rounds, wanted: wantedPages(Math.ceil(table / LARGE_SHARE)) });
}

interface PagesToRead {
  readonly databaseUrl: string;
  readonly rounds: number;
  readonly wanted: readonly WantedPage[];
  /** More settings of the app. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Reads pages of the large log over HTTP. */
export async function readPages({
  databaseUrl,
  rounds,
  wanted: pages,
  env,
}: PagesToRead): Promise<readonly PageResult[]> {
  const token = await issueToken(databaseUrl, 'plugin:read');
  const app = await startApp('http', { DATABASE_URL: databaseUrl, ...env });
  const logUrl = `http://127.0.0.1:${app.port}/api/projects/1/plugin_configs/${LARGE_RECORD}/logs/`;
  const read = pageReader(logUrl, token);
  const results = pages.map((wanted) => ({ wanted, responses: [] as TimedResponse[] }));
  try {
    for (const { wanted } of results) await readOften(read, wanted);
    for (let round = 1; round <= rounds; round++) {
      for (const { wanted, responses } of results) responses.push(...(await readOften(read, wanted)));
    }
  } finally {
    await app.stop();
  }
  return results.map(({ wanted: { query }, responses }) => ({
    query,
    milliseconds: median(responses.map(({ milliseconds }) => milliseconds)),
    wrong: responses.filter(({ isCorrect }) => !isCorrect).length,
  }));
}

interface TimedResponse {
  readonly milliseconds: number;
  readonly isCorrect: boolean;
}

async function readOften(read: PageReader, wanted: WantedPage): Promise<readonly TimedResponse[]> {
  const responses: TimedResponse[] = [];
  for (let request = 0; request < REQUESTS_A_ROUND; request++) {
    const { page, milliseconds } = await read(wanted.query);
    responses.push({ milliseconds, isCorrect: isExpected(page, wanted) });
  }
  return responses;
}

/** Fills and vacuums the tables. Without the vacuum, autovacuum would run during the measurement. */
export async function prepareLogs(databaseUrl: string, table: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seedRecords(databaseUrl, 1, RECORDS);
  await fillLogs(databaseUrl, table);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

function isExpected({ count, results }: LogPage, wanted: WantedPage): boolean {
  return (
    count === wanted.count &&
    isDeepStrictEqual(
      results.map(({ message }) => message),
      wanted.messages,
    )
  );
}
