import { expect } from 'vitest';
import { test } from '../operator.fixture.ts';

test('without ClickHouse there is nothing to copy to', async ({ cli }) => {
  expect(await cli(['log', 'move', '--to', 'clickhouse'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no ClickHouse to copy to: set CLICKHOUSE_URL.\n',
  });
});

test('another store is wrong usage', async ({ cli }) => {
  expect(await cli(['log', 'move', '--to', 'paper'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('clickhouse'),
  });
});
