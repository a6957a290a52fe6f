import { expect } from 'vitest';
import { commandProcess, query, test } from '../operator.fixture.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [K1, K2] = [key('k1', 1), key('k2', 2)];
const PLUGIN = JSON.stringify({
  id: 7,
  name: 'Slack',
  config_schema: [{ key: 'token', type: 'string', secret: true, default: 'hidden' }],
});

test('keys are rotated as the documentation says', async ({ cli, databaseUrl }) => {
  expect(await cli(['secrets', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'No secret is stored.\n' });
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEYS: K1 };
  await commandProcess(['plugin', 'register', '-'], { input: PLUGIN, env });
  await cli(['project', 'create', '--name', 'One']);
  await query(
    databaseUrl,
    `insert into config_record
      (project_id, family, plugin, enabled, position, config, secrets, deleted, created_at, updated_at, version)
    select 1, 'plugin_configs', 7, false, i, seed_config, seed_secrets, false, now(), now(), 1
    from generate_series(1, 3) i, plugin`,
  );
  const both = { SECRETS_KEYS: `${K2},${K1}` };
  expect((await cli(['secrets', 'list', '--json'], { SECRETS_KEYS: K2 })).stdout).toContain('"missing"');
  expect(await cli(['secrets', 'rotate'], { SECRETS_KEYS: K2 })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Still encrypted with other keys: "k1" (records: 3, plugins: 1). Add "k1" to SECRETS_KEYS and run it again.\n',
  });
  expect(await cli(['secrets', 'rotate'], both)).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'All secrets are encrypted with "k2", the first of the SECRETS_KEYS that this command was given.\n',
  });
  expect((await cli(['secrets', 'list'], { SECRETS_KEYS: K2 })).stdout).toBe(
    'KEY  STATE  RECORDS  PLUGINS\nk2   first  3        1\n',
  );
});

test('without a key, rotation is refused', async ({ cli }) => {
  expect(await cli(['secrets', 'rotate'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SECRETS_KEYS'),
  });
});
