import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runtimeEndpoints } from '../../packages/contract/src/index.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const { query } = runtimeEndpoints.retrieveRuntime;
const LONGEST_WAIT = Array.from({ length: 300 }, (_, seconds) => seconds).findLast(
  (seconds) => query.safeParse({ wait: String(seconds) }).success,
);

test.for([
  ['compose/haproxy.cfg', /^  timeout (?:client|server) (?<seconds>\d+)s$/gm, 2],
  ['kubernetes/base/ingress.yaml', /timeouts must be longer than (?<seconds>\d+) seconds/g, 1],
] as const)('the timeouts of %s exceed the longest wait of a runtime', ([file, timeouts, count]) => {
  const found = [...readFileSync(join(DEPLOY, file), 'utf8').matchAll(timeouts)];
  expect(found).toHaveLength(count);
  expect(LONGEST_WAIT).toBe(50);
  for (const { groups } of found) expect(Number(groups?.['seconds'])).toBeGreaterThanOrEqual(50 + 5);
});
