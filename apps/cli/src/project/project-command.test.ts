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
  const found = async (search: string) =>
    JSON.parse((await cli(['project', 'list', '--json', '--search', search])).stdout) as object[];
  expect(await found('iosk')).toMatchObject([{ external_id: 'acme' }]);
  expect(await found('BREAD')).toMatchObject([{ name: 'Bakery' }]);
  expect((await cli(['project', 'list', '--search', 'x'])).stderr).toContain('No project has this text');
  expect((await cli(['project', 'delete', 'ext:acme', '--name', 'Kiosk'])).code).toBe(0);
  expect((await cli(['project', 'rename', 'ext:acme', 'Shop'])).stderr).toBe(
    'Project ext:acme does not exist.\n',
  );
});

test('--json prints an empty list as an empty array', async ({ cli }) => {
  expect(await cli(['project', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});
