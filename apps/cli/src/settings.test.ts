import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { command, commandProcess, test } from './operator.fixture.ts';

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'operator-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content)));
  return folder;
}

test('without a database, the error says how to start one', async () => {
  const cwd = await folderWith({});
  const message = 'No database found: set DATABASE_URL, or run npm start.\n';
  expect(await commandProcess(['project', 'list'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: message,
  });
  expect(await commandProcess(['migrate'], { cwd })).toEqual({ code: 1, stdout: '', stderr: message });
});

test('finds the running embedded database of the data directory, and its keys', async ({ databaseUrl }) => {
  const secretsKeys = `local:${Buffer.alloc(32, 7).toString('base64')}`;
  const field = { key: 'token', type: 'string', secret: true, default: 'hidden' };
  const DATA_DIR = await folderWith({
    'database-url': `${databaseUrl}\n`,
    'secrets-keys': `${secretsKeys}\n`,
    'slack.json': JSON.stringify({ id: 7, name: 'Slack', config_schema: [field] }),
  });
  const { code } = await command(['plugin', 'register', join(DATA_DIR, 'slack.json')], { DATA_DIR });
  expect(code).toBe(0);
});

test('names a damaged key file', async ({ databaseUrl }) => {
  const DATA_DIR = await folderWith({ 'database-url': databaseUrl, 'secrets-keys': 'garbage' });
  const { code, stderr } = await command(['project', 'list'], { DATA_DIR });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`^Invalid ${DATA_DIR}/secrets-keys: expected id:base64key[^\n]*\n$`),
  });
});

test('DATABASE_URL takes precedence over the embedded database', async ({ databaseUrl }) => {
  const DATA_DIR = await folderWith({ 'database-url': 'postgres://nobody@127.0.0.1:1/nothing' });
  const { code } = await command(['project', 'list'], { DATA_DIR, DATABASE_URL: databaseUrl });
  expect(code).toBe(0);
});

test('reports an unreachable database in one line, without its password', async () => {
  const env = { DATABASE_URL: 'postgres://nobody:hush@127.0.0.1:1/nothing' };
  for (const args of [['project', 'list'], ['migrate']]) {
    const { code, stdout, stderr } = await command(args, env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*ECONNREFUSED 127\.0\.0\.1:1[^\n]*\n$/);
    expect(stderr).not.toContain('hush');
  }
});

test('rejects several hosts in DATABASE_URL, and suggests how to find the primary', async () => {
  const env = { DATABASE_URL: 'postgres://me:hush@one:5432,two:5432/shop' };
  const { code, stderr } = await command(['project', 'list'], env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^Invalid DATABASE_URL: expected a single address [^\n]*HAProxy, pgbouncer [^\n]*\n$/,
    ),
  });
  expect(stderr).not.toContain('hush');
});

test.for([
  ['DATABASE_URL', 'mysql://localhost/shop'],
  ['LOG_RETENTION_DAYS', '1.5'],
  ['LOG_QUOTA_ENTRIES_PER_DAY', '0'],
  ['SECRETS_KEYS', 'first:short'],
] as const)('rejects an invalid %s by name', async ([name, value], { databaseUrl }) => {
  const env = { DATABASE_URL: databaseUrl, [name]: value };
  const { code, stderr } = await command(['project', 'list'], env);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(`^Invalid ${name}: expected [^\n]*\n$`),
  });
});
