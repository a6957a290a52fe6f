import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@plugin-config/domain';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { healthRoutes, type Readiness } from '../health/health.routes.ts';
import { testServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { structuredLogger } from './logger.ts';
import { observeRequests } from './observe-requests.ts';

const UNREACHABLE = new DomainError('unavailable', 'The database is unreachable.', {
  cause: new Error('connect ECONNREFUSED'),
});

async function observed(readiness: Readiness = async () => null) {
  const written: string[] = [];
  const logger = structuredLogger('test', 'info', { write: (line) => written.push(line) });
  const metrics = new Registry();
  const app = testServer();
  observeRequests(app, { logger, metrics });
  healthRoutes(app, { readiness, metrics });
  app.get('/busy', async () => Promise.reject(UNREACHABLE));
  const received = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    received.resolve();
    return sleep(300, 'slow');
  });
  app.get('/large', async () => {
    received.resolve();
    return Buffer.alloc(64 * 1024 * 1024);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { url, metrics, lines, received: received.promise };
}

test('a 503 is logged as a warning with a reason instead of a stack', async () => {
  const { url, lines } = await observed();
  expect((await fetch(`${url}/busy`)).status).toBe(503);
  expect(lines()).toMatchObject([
    { level: 'warn', status: 503, reason: 'The database is unreachable. connect ECONNREFUSED' },
  ]);
  expect(lines()[0]).not.toHaveProperty('err');
});

test('readiness is logged only when it changes', async () => {
  const reasons = [null, 'away', 'away', UNREACHABLE, null, null, 'away again'];
  const { url, lines } = await observed(async () => {
    const reason = reasons.shift() ?? null;
    if (reason instanceof Error) throw reason;
    return reason;
  });
  const statuses: number[] = [];
  while (reasons.length > 0) statuses.push((await fetch(`${url}/readyz`)).status);
  expect(statuses).toEqual([200, 503, 503, 503, 200, 200, 503]);
  expect(lines().map(({ level, msg, reason }) => [level, msg, reason])).toEqual([
    ['warn', 'not ready', 'away'],
    ['info', 'ready again', undefined],
    ['warn', 'not ready', 'away again'],
  ]);
});

test.for(['/slow', '/large'])('a request to %s whose caller hangs up is logged and counted', async (path) => {
  const { url, metrics, lines, received } = await observed();
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await received;
  socket.resetAndDestroy();
  await until(() => lines().length > 0);
  await sleep(300);
  expect(lines()).toMatchObject([{ level: 'info', method: 'GET', path, route: path, status: 499 }]);
  const counted = (await metrics.metrics())
    .split('\n')
    .filter((line) => line.startsWith('http_requests_total{'));
  expect(counted).toEqual([`http_requests_total{method="GET",route="${path}",status="499"} 1`]);
});
