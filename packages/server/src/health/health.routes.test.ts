import { Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { testServer } from '../testing/test-server.ts';
import { healthRoutes, type Readiness } from './health.routes.ts';

function serverWith(readiness: Readiness, metrics = new Registry()) {
  const app = testServer();
  healthRoutes(app, { readiness, metrics });
  return app;
}

test('concurrent readiness checks share one query', async () => {
  const problem = Promise.withResolvers<string | null>();
  let checks = 0;
  const app = serverWith(() => {
    checks++;
    return problem.promise;
  });
  const responses = Array.from({ length: 50 }, () => app.inject({ url: '/readyz', headers: { host: 'x' } }));
  await app.inject({ url: '/livez', headers: { host: 'x' } });
  problem.resolve('The database is away.');
  for (const { statusCode } of await Promise.all(responses)) expect(statusCode).toBe(503);
  expect(checks).toBe(1);
  await app.inject({ url: '/readyz', headers: { host: 'x' } });
  expect(checks).toBe(2);
});

test('metrics are collected a few times a second, however often they are read', async () => {
  let collected = 0;
  const metrics = new Registry();
  new Gauge({ name: 'a', help: 'A.', registers: [metrics], collect: () => void collected++ });
  const app = serverWith(async () => null, metrics);
  const end = performance.now() + 200;
  while (performance.now() < end) await app.inject({ url: '/metrics', headers: { host: 'x' } });
  expect(collected).toBeGreaterThan(1);
  expect(collected).toBeLessThan(8);
});
