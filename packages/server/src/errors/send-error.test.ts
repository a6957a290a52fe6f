import { expect, test } from 'vitest';
import { testServer } from '../testing/test-server.ts';
import { HttpProblem, type Problem } from './http-problem.ts';

/** The account of requests without a key, and its share of the memory. */
const ANONYMOUS = 0;
const SHARE = 64 * 1024 * 1024;
const CONFLICT = { family: 'plugin_configs', id: 1, key: 'k'.repeat(100), manager: 'team' } as const;

const LARGE: Problem = {
  status: 409,
  headers: { 'x-reason': 'owned' },
  type: 'invalid_request',
  code: 'managed_by_another',
  detail: 'Another manager owns the records.',
  attr: null,
  conflicts: Array.from({ length: 1000 }, () => CONFLICT),
};

test('a large error response is replaced by a small one if there is no memory for it', async () => {
  const app = testServer();
  app.get('/', async () => {
    throw new HttpProblem(LARGE);
  });
  const send = () => app.inject({ url: '/', headers: { host: 'x' } });
  const large = await send();
  expect([large.statusCode, large.json().conflicts.length]).toEqual([409, 1000]);
  app.gate.memory.reservation(ANONYMOUS).take(SHARE);
  const rejected = await send();
  expect(rejected.json()).toMatchObject({ code: 'throttled', attr: null });
  expect([rejected.statusCode, rejected.headers['x-reason'], rejected.headers['retry-after']]).toEqual([
    429,
    undefined,
    '2',
  ]);
});
