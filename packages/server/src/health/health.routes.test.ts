import { DomainError } from '@plugin-config/domain';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { withoutLeader } from '../group/group.ts';
import { structuredLogger } from '../observability/logger.ts';
import { requestMeter } from '../observability/request-meter.ts';
import { openServer } from '../open-server.ts';
import { healthRoutes, type Readiness } from './health.routes.ts';

const logger = structuredLogger('test', 'info', { write: () => true });

function serverWith(readiness: Readiness) {
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  healthRoutes(app, {
    readiness,
    meter: requestMeter(),
    metrics: new Registry(),
    group: withoutLeader(),
    logger,
  });
  onTestFinished(() => app.close());
  return app;
}

test('metrics that the group cannot tell are refused as readiness is', async () => {
  const away = async () => Promise.reject(new DomainError('unavailable', 'The leader is away.'));
  const group = { ...withoutLeader(), health: () => ({ readiness: away, metrics: away }) };
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  healthRoutes(app, { readiness: away, meter: requestMeter(), metrics: new Registry(), group, logger });
  onTestFinished(() => app.close());
  const ask = async (url: string) => app.inject({ url, headers: { host: 'x' } });
  const [ready, metrics] = await Promise.all(['/readyz', '/metrics'].map(ask));
  expect(metrics?.statusCode).toBe(503);
  expect(metrics?.headers['content-type']).toBe(ready?.headers['content-type']);
  expect(metrics?.json()).toEqual(ready?.json());
});

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
