import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';
import { readLifetime } from './key-command.ts';

const TOKEN = /^phx_[0-9A-Za-z]{43}\n$/;

test('create prints nothing but the key, and list does not show it', async ({ cli }) => {
  const { code, stdout: token, stderr } = await cli(['key', 'create', '--label', 'CI', '--scope', '*']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(token).toMatch(TOKEN);
  const { stdout } = await cli(['key', 'list']);
  expect(stdout).toMatch(
    /^ID  ACCOUNT ID  LABEL  SCOPES  PROJECTS  PLUGINS  CREATED AT\s+LAST USED AT  EXPIRES AT  STATE\n1   1           CI     \*       all       all      \S+Z  -             -           live\n$/,
  );
  expect(stdout).not.toContain('phx_');
});

test('a key has scopes, projects and an expiry', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  await cli(['project', 'create', '--name', 'Bakery']);
  const order =
    '--scope plugin:read --scope plugin:write --scope plugin:read --project 2 --project 1 --expires 30d';
  const created = await cli(['key', 'create', '--label', 'CI', ...order.split(' '), '--json']);
  const { key, ...rest } = JSON.parse(created.stdout);
  expect(`${key}\n`).toMatch(TOKEN);
  const [listed] = JSON.parse((await cli(['key', 'list', '--json'])).stdout);
  expect(listed).toEqual(rest);
  expect(listed).toMatchObject({
    id: 1,
    label: 'CI',
    scopes: ['plugin:read', 'plugin:write'],
    projects: [1, 2],
    last_used_at: null,
    revoked_at: null,
    state: 'live',
  });
  expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBe(30 * 24 * 3_600_000);
});

test('a project may be named by its external id', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  await cli(['project', 'create', '--name', 'Acme', '--external-id', 'acme']);
  const create = (...projects: readonly string[]) =>
    cli(['key', 'create', '--label', 'CI', '--scope', '*', '--json', '--project', ...projects]);
  expect(JSON.parse((await create('ext:acme', '1')).stdout)).toMatchObject({ projects: [1, 2] });
  expect(await create('ext:nobody')).toMatchObject({
    code: 1,
    stderr: 'Project ext:nobody does not exist.\n',
  });
  expect(await create('ext:a b')).toMatchObject({ code: 2 });
});

test('warns about a key for runtimes that is not restricted to a project', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  const create = async (...options: string[]) =>
    (await cli(['key', 'create', '--label', 'Runtime', '--scope', 'plugin_runtime', ...options])).stderr;
  expect(await create()).toMatch(/^[^\n]* all projects\. [^\n]* --project\.\n$/);
  expect(await create('--project', '1')).toBe('');
});

test('a key joins the account of the keys with the same projects, or a given one', async ({ cli }) => {
  for (const name of ['Shop', 'Bakery']) await cli(['project', 'create', '--name', name]);
  const accountOf = async (...options: string[]) =>
    JSON.parse((await cli(['key', 'create', '--label', 'CI', '--scope', '*', '--json', ...options])).stdout)
      .account_id;
  expect(await accountOf('--project', '1')).toBe(1);
  expect(await accountOf('--project', '1')).toBe(1);
  expect(await accountOf('--project', '2', '--account', '1')).toBe(1);
  expect(await accountOf()).toBe(4);
  const missing = await cli(['key', 'create', '--label', 'CI', '--scope', '*', '--account', '99']);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('No such account') });
});

test('a revoked key is listed as revoked', async ({ cli }) => {
  await cli(['key', 'create', '--label', 'CI', '--scope', '*']);
  expect(await cli(['key', 'revoke', '1'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Key 1 has been revoked.\n',
  });
  const [key] = JSON.parse((await cli(['key', 'list', '--json'])).stdout);
  expect(key).toMatchObject({ state: 'revoked', revoked_at: expect.any(String) });
});

test('an unknown key cannot be revoked', async ({ cli }) => {
  expect(await cli(['key', 'revoke', '7'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Key 7 does not exist.\n',
  });
});

test.for([
  ['1m', 60_000],
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['30d', 2_592_000_000],
  ['3650d', 315_360_000_000],
] as const)('the lifetime %s is %i ms', ([text, ms]) => {
  expect(readLifetime(text)).toBe(ms);
});

test.for(['', '30', 'd', '0d', '-1d', '1.5h', '3651d', '30D', '1w', ' 1d', '1d '])(
  '"%s" is not a lifetime',
  (text) => {
    expect(() => readLifetime(text)).toThrow('such as 90m, 12h or 30d');
  },
);
