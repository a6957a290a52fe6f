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
  const found = Promise.withResolvers<string | null>();
  let asked = 0;
  const app = serverWith(() => {
    asked++;
    return found.promise;
  });
  const answers = Array.from({ length: 50 }, () => app.inject({ url: '/readyz', headers: { host: 'x' } }));
  await app.inject({ url: '/livez', headers: { host: 'x' } });
  found.resolve('The database is away.');
  for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(503);
  expect(asked).toBe(1);
  await app.inject({ url: '/readyz', headers: { host: 'x' } });
  expect(asked).toBe(2);
});
