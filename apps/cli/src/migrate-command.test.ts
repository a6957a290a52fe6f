import pg from 'pg';
import { expect, inject, onTestFinished } from 'vitest';
import { operator, test } from './operator.fixture.ts';

/** A database that nobody has migrated yet. */
async function bareDatabase(): Promise<string> {
  const name = `bare_${crypto.randomUUID().replaceAll('-', '')}`;
  await execute(`create database ${name}`);
  onTestFinished(() => execute(`drop database ${name} with (force)`));
  return new URL(`/${name}`, inject('databaseAdminUrl')).href;
}

async function execute(sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('databaseAdminUrl') });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}

test('a schema that is older than the code is told, and brought up to date', async () => {
  const env = { DATABASE_URL: await bareDatabase() };
  const { code, stdout, stderr } = await operator(['project', 'list'], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*npm run --silent cli -- migrate[^\n]*\n$/);
  const migrated = await operator(['migrate'], { env });
  expect(migrated).toEqual({ code: 0, stdout: expect.stringMatching(/^(\S+\n)+$/), stderr: 'The schema is up to date.\n' });
  expect(await operator(['project', 'list'], { env })).toMatchObject({ code: 0 });
});

test('a schema that is up to date takes no step', async ({ cli }) => {
  expect(await cli(['migrate'])).toEqual({ code: 0, stdout: '', stderr: 'The schema is up to date.\n' });
});
