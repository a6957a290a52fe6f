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
  /** The number of answers with a wrong count or wrong entries. */
  readonly wrong: number;
}

const REQUESTS_A_ROUND = 100;

/** Measures all pages in turn in each round, one request at a time. */
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
  const asked = pages.map((wanted) => ({ wanted, answers: [] as Answer[] }));
  try {
    for (const { wanted } of asked) await readOften(read, wanted);
    for (let round = 1; round <= rounds; round++) {
      for (const { wanted, answers } of asked) answers.push(...(await readOften(read, wanted)));
    }
  } finally {
    await app.stop();
  }
  return asked.map(({ wanted: { query }, answers }) => ({
    query,
    milliseconds: median(answers.map(({ milliseconds }) => milliseconds)),
    wrong: answers.filter(({ right }) => !right).length,
  }));
}

interface Answer {
  readonly milliseconds: number;
  readonly right: boolean;
}

async function readOften(read: PageReader, wanted: WantedPage): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let request = 0; request < REQUESTS_A_ROUND; request++) {
    const { page, milliseconds } = await read(wanted.query);
    answers.push({ milliseconds, right: isAsWanted(page, wanted) });
  }
  return answers;
}

/** Fills and vacuums the tables, so that autovacuum does not run during the measurement. */
export async function prepareLogs(databaseUrl: string, table: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await seedRecords(databaseUrl, 1, RECORDS);
  await fillLogs(databaseUrl, table);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

function isAsWanted({ count, results }: LogPage, wanted: WantedPage): boolean {
  return (
    count === wanted.count &&
    isDeepStrictEqual(
      results.map(({ message }) => message),
      wanted.messages,
    )
  );
}
