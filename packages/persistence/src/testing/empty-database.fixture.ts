import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Creates an unmigrated database for one test. `options` are appended to `create database`. */
export async function emptyDatabase(options = ''): Promise<string> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await executeAt(adminUrl, `create database ${name} ${options}`);
  onTestFinished(() => executeAt(adminUrl, `drop database ${name} with (force)`));
  return new URL(`/${name}`, adminUrl).href;
}

export async function executeAt(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
