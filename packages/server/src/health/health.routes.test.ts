import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { requestMeter } from '../observability/request-meter.ts';
import { openServer } from '../open-server.ts';
import { healthRoutes, type Readiness } from './health.routes.ts';

function serverWith(readiness: Readiness) {
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  healthRoutes(app, { readiness, meter: requestMeter(), metrics: new Registry() });
  onTestFinished(() => app.close());
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
