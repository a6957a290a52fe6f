import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';

test('a project is created, listed and renamed', async ({ cli }) => {
  expect(await cli(['project', 'list'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No projects yet.\n',
  });
  expect(await cli(['project', 'create', '--name', ' Web shop '])).toEqual({
    code: 0,
    stdout: '1\n',
    stderr: '',
  });
  expect(await cli(['project', 'rename', '1', 'Bakery'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Project 1 is now called "Bakery".\n',
  });
  const { stdout } = await cli(['project', 'list']);
  expect(stdout).toMatch(
    /^ID  EXTERNAL ID  NAME    CREATED AT +ENTRIES PER DAY  BYTES PER DAY\n1   -            Bakery  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  - +-\n$/,
  );
});

test('--json prints projects as JSON', async ({ cli }) => {
  const created = JSON.parse(
    (await cli(['project', 'create', '--name', 'Shop', '--external-id', 'acme', '--json'])).stdout,
  );
  expect(created).toEqual({
    id: 1,
    external_id: 'acme',
    name: 'Shop',
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    entries_per_day: null,
    bytes_per_day: null,
  });
  expect(JSON.parse((await cli(['project', 'list', '--json'])).stdout)).toEqual([created]);
});

test('a project is found by its external id, or by a part of its name', async ({ cli }) => {
  for (const [name, id] of [
    ['Shop', 'acme'],
    ['Bakery', 'bread'],
  ] as const)
    await cli(['project', 'create', '--name', name, '--external-id', id]);
  expect((await cli(['project', 'rename', 'ext:acme', 'Kiosk'])).stderr).toBe(
    'Project 1 is now called "Kiosk".\n',
  );
  expect((await cli(['project', 'usage', 'ext:acme'])).code).toBe(0);
  expect((await cli(['project', 'quota', 'ext:acme'])).code).toBe(0);
  const found = async (search: string) =>
    JSON.parse((await cli(['project', 'list', '--json', '--search', search])).stdout) as object[];
  expect(await found('iosk')).toMatchObject([{ external_id: 'acme' }]);
  expect(await found('BREAD')).toMatchObject([{ name: 'Bakery' }]);
  expect((await cli(['project', 'list', '--search', 'x'])).stderr).toContain('No project has this text');
  expect((await cli(['project', 'delete', 'ext:acme', '--name', 'Kiosk'])).code).toBe(0);
  expect((await cli(['project', 'usage', 'ext:acme'])).stderr).toBe('Project ext:acme does not exist.\n');
});

test('sets the quota of a project, and removes it', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  const quotas = async () => JSON.parse((await cli(['project', 'list', '--json'])).stdout);
  const set = { code: 0, stdout: '', stderr: 'The quota of project 1 has been set.\n' };
  expect(await cli(['project', 'quota', '1', '--entries-per-day', '5'])).toEqual(set);
  expect(await quotas()).toMatchObject([{ entries_per_day: 5, bytes_per_day: null }]);
  const reset = { ...set, stderr: 'Project 1 now has the default quota.\n' };
  expect(await cli(['project', 'quota', '1'])).toEqual(reset);
  expect(await quotas()).toMatchObject([{ entries_per_day: null, bytes_per_day: null }]);
  expect((await cli(['project', 'quota', '7'])).stderr).toBe('Project 7 does not exist.\n');
});

test('the usage of a project is listed by day', async ({ cli }) => {
  await cli(['project', 'create', '--name', 'Shop']);
  const { stdout } = await cli(['project', 'usage', '1']);
  expect(stdout).toMatch(/^DAY +ENTRIES +BYTES +OVER QUOTA\n\d{4}-\d\d-\d\d +0 +0 +0\n/);
  const days = JSON.parse((await cli(['project', 'usage', '1', '--json'])).stdout) as object[];
  expect(days).toHaveLength(31);
  expect(days[0]).toEqual({ day: expect.any(String), entries: 0, bytes: 0, over_quota: 0 });
  expect((await cli(['project', 'usage', '7'])).stderr).toBe('Project 7 does not exist.\n');
});

test('--json prints an empty list as an empty array', async ({ cli }) => {
  expect(await cli(['project', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('an unknown project cannot be renamed', async ({ cli }) => {
  expect(await cli(['project', 'rename', '7', 'Bakery'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Project 7 does not exist.\n',
  });
});
