import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from './index.ts';

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

test('concurrently created test databases are separate', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => createTestDatabase(inject('databaseAdminUrl'))),
  );
  onTestFinished(async () => void (await Promise.all(made.map((database) => database.drop()))));
  expect(new Set(made.map(({ url }) => url)).size).toBe(8);
});

test('a test database is dropped even if a client is connected to it', async () => {
  const { url, drop } = await createTestDatabase(inject('databaseAdminUrl'));
  const client = await connected(url);
  await drop();
  await expect(client.query('select 1')).rejects.toThrow();
  await expect(connected(url)).rejects.toThrow('does not exist');
});
