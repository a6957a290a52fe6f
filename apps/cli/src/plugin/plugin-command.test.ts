import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { commandProcess, query, test } from '../operator.fixture.ts';

const SLACK = {
  id: 7,
  name: 'Slack',
  url: 'https://slack.example',
  config_schema: [
    { key: 'token', type: 'string', secret: true, required: true },
    { key: 'channel', type: 'string', default: 'general', site: true },
  ],
};
const SECRETS_KEYS = `first:${Buffer.alloc(32, 1).toString('base64')}`;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plugin-file-'))));
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a plugin is registered, listed and removed', async ({ cli }) => {
  const registered = { code: 0, stdout: '', stderr: 'Plugin 7 ("Slack") is registered.\n' };
  expect(await cli(['plugin', 'register', await fileWith(SLACK)])).toEqual(registered);
  expect((await cli(['plugin', 'list'])).stdout).toBe(
    'ID  SLUG  NAME   DESCRIPTION  URL\n7   -     Slack  -            https://slack.example\n',
  );
  expect(JSON.parse((await cli(['plugin', 'list', '--json'])).stdout)).toEqual([SLACK]);
  expect(await cli(['plugin', 'remove', '7'])).toMatchObject({
    code: 0,
    stderr: 'Plugin 7 is no longer registered.\n',
  });
  expect(await cli(['plugin', 'remove', '7'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Plugin 7 is not registered.\n',
  });
});

test('a plugin is registered and removed by its slug', async ({ cli }) => {
  await cli(['plugin', 'register', await fileWith(SLACK)]);
  const registered = { code: 0, stderr: 'Plugin 8 ("GeoIP") is registered.\n' };
  const file = await fileWith({ slug: 'geoip', name: 'GeoIP' });
  expect(await cli(['plugin', 'register', file])).toMatchObject(registered);
  expect(await cli(['plugin', 'register', file])).toMatchObject(registered);
  const removed = { code: 0, stderr: 'Plugin slug:geoip is no longer registered.\n' };
  expect(await cli(['plugin', 'remove', 'slug:geoip'])).toMatchObject(removed);
  expect(await cli(['plugin', 'remove', 'slug:GeoIP'])).toMatchObject({ code: 2 });
});

test('a registration says how many records its schema rejects', async ({ cli, databaseUrl }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  await query(
    databaseUrl,
    `insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version)
    select id, 'plugin_configs', 7, true, 1, false, now(), now(), 1 from project`,
  );
  expect((await cli(['plugin', 'register', await fileWith(SLACK)])).stderr).toBe(
    'Plugin 7 ("Slack") is registered.\n' +
      'Its schema rejects the configuration of 1 enabled record. Such records stay enabled, and are marked as invalid.\n',
  );
});

test('a plugin read from standard input replaces the registered one', async ({ cli, databaseUrl }) => {
  await cli(['plugin', 'register', await fileWith(SLACK)]);
  const given = {
    env: { DATABASE_URL: databaseUrl, SECRETS_KEYS },
    input: JSON.stringify({ id: 7, name: 'Teams' }),
  };
  expect(await commandProcess(['plugin', 'register', '-'], given)).toMatchObject({ code: 0 });
  expect(JSON.parse((await cli(['plugin', 'list', '--json'])).stdout)).toEqual([{ id: 7, name: 'Teams' }]);
});

test('a secret default is encrypted with the first of SECRETS_KEYS, and rejected without keys', async ({
  cli,
}) => {
  const field = { key: 'token', type: 'string', secret: true, default: 'hidden' };
  const file = await fileWith({ ...SLACK, config_schema: [field] });
  expect(await cli(['plugin', 'register', file], { SECRETS_KEYS: '' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SECRETS_KEYS'),
  });
  expect(await cli(['plugin', 'register', file])).toMatchObject({ code: 0 });
});

test('the plugin in the documentation can be registered', async ({ cli }) => {
  const page = await readFile(new URL('../../../../docs/operations/cli.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n(\{\n.*?"config_schema".*?\n\})\n```/s.exec(page) ?? [];
  expect(await cli(['plugin', 'register', await fileWith(example)])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Plugin 8 ("Webhook") is registered.\n',
  });
});

test('a path is relative to the folder where npm was called', async ({ cli }) => {
  await writeFile(join(folder, 'here.json'), JSON.stringify(SLACK));
  const env = { npm_lifecycle_event: 'cli', INIT_CWD: folder };
  expect(await cli(['plugin', 'register', 'here.json'], env)).toMatchObject({ code: 0 });
});

test.for([
  ['invalid JSON', '{"id": 7,', /plugin.* is not valid JSON: /],
  ['an array', [], /: A JSON object is required\.$/],
  ['neither id nor slug', { name: 'a' }, /: id: An id or a slug is required\.$/],
  [
    'a misspelt field',
    { ...SLACK, config_schema: [{ key: 'token', type: 'string', secrte: true }] },
    /: config_schema\.0\.secrte: /,
  ],
  [
    'a choice without choices',
    { ...SLACK, config_schema: [{ key: 'mode', type: 'choice' }] },
    /"mode" needs choices/,
  ],
  [
    'a default that would change',
    '{"id": 7, "name": "a", "config_schema": [{"key": "port", "type": "json", "default": [9007199254740993]}]}',
    /^port: The number 9007199254740993 cannot be kept exactly: send it as a string\.$/,
  ],
] as const)('a file with %s is rejected with a one-line message', async ([, content, message], { cli }) => {
  const { code, stdout, stderr } = await cli(['plugin', 'register', await fileWith(content)]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd()).toMatch(message);
  expect(stderr.match(/\n/g)).toHaveLength(1);
});

test('a missing file is reported', async ({ cli }) => {
  const { code, stderr } = await cli(['plugin', 'register', 'nowhere.json']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Cannot read nowhere\.json: ENOENT.*\n$/),
  });
});
