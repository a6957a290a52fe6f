import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';

test('a project is created, listed and renamed', async ({ cli }) => {
  expect(await cli(['project', 'list'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'There is no project yet.\n',
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
  expect(stdout).toMatch(/^ID  NAME    CREATED\n1   Bakery  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
});

test('--json prints projects as JSON', async ({ cli }) => {
  const created = JSON.parse((await cli(['project', 'create', '--name', 'Shop', '--json'])).stdout);
  expect(created).toEqual({ id: 1, name: 'Shop', created_at: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(JSON.parse((await cli(['project', 'list', '--json'])).stdout)).toEqual([created]);
});

test('--json prints an empty list as an empty array', async ({ cli }) => {
  expect(await cli(['project', 'list', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
});

test('an unknown project cannot be renamed', async ({ cli }) => {
  expect(await cli(['project', 'rename', '7', 'Bakery'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no project 7.\n',
  });
});
