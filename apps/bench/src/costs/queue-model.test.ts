import { expect, test } from 'vitest';
import { simulate, type Setup } from './queue-model.ts';

const COSTS = { load: 0, app: 20, appStatement: 40, postgres: 5, postgresStatement: 60 };
const SETUP: Setup = { costs: COSTS, statements: 1, connections: 1, cores: 4, processes: 1, roundTrip: 0 };

test('a single request takes the sum of its costs and the round trips', () => {
  const { perSecond, requestsPerStatement, medianMs } = simulate({ ...SETUP, roundTrip: 75 });
  expect(medianMs).toBeCloseTo(0.2);
  expect(perSecond).toBeCloseTo(5_000);
  expect(requestsPerStatement).toBe(1);
});

test('the CPU limits the speed of a process, and statements carry all waiting requests', () => {
  const { perSecond, requestsPerStatement } = simulate({ ...SETUP, connections: 200 });
  const appMicroseconds = COSTS.app + COSTS.appStatement / requestsPerStatement;
  expect(requestsPerStatement).toBeGreaterThan(50);
  expect(perSecond).toBeLessThanOrEqual(1e6 / appMicroseconds);
  expect(perSecond).toBeGreaterThan(0.7e6 / appMicroseconds);
});

test('on one core, a request takes the CPU time of all processes', () => {
  const { perSecond, requestsPerStatement } = simulate({ ...SETUP, connections: 100, cores: 1 });
  const { app, appStatement, postgres, postgresStatement } = COSTS;
  const all = app + postgres + (appStatement + postgresStatement) / requestsPerStatement;
  expect(perSecond).toBeCloseTo(1e6 / all, -2);
});

test('a second process doubles the speed if there are enough cores', () => {
  const one = simulate({ ...SETUP, connections: 200 });
  const two = simulate({ ...SETUP, connections: 400, cores: 8, processes: 2 });
  expect(two.perSecond / one.perSecond).toBeCloseTo(2, 1);
});
