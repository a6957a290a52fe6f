import { expect, inject, onTestFinished } from 'vitest';
import { command, commandProcess, query, test } from './operator.fixture.ts';

async function unmigratedDatabase(): Promise<string> {
  const adminUrl = inject('databaseAdminUrl');
  const name = `unmigrated_${crypto.randomUUID().replaceAll('-', '')}`;
  await query(adminUrl, `create database ${name}`);
  onTestFinished(async () => void (await query(adminUrl, `drop database ${name} with (force)`)));
  return new URL(`/${name}`, adminUrl).href;
}

test('reports an outdated schema, and migrates it', async () => {
  const env = { DATABASE_URL: await unmigratedDatabase() };
  const { code, stdout, stderr } = await command(['project', 'list'], env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]*npm run --silent cli -- migrate[^\n]*\n$/);
  const migrated = await commandProcess(['migrate'], { env });
  expect(migrated).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^(\S+\n)+$/),
    stderr: 'The schema is up to date.\n',
  });
  expect(await command(['project', 'list'], env)).toMatchObject({ code: 0 });
});

test('an up-to-date schema needs no migration', async ({ cli }) => {
  expect(await cli(['migrate'])).toEqual({ code: 0, stdout: '', stderr: 'The schema is up to date.\n' });
});
