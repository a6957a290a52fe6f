import { nodeRandomness } from '@plugin-config/persistence';
import { openGate, openServer, type Guard } from '@plugin-config/server';
import { until } from '@plugin-config/server/testing';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { aLogRecord, anExport, encodeExport, MEDIA } from '../../testing/otlp.ts';
import type { PushSource, Sender } from '../push/push-source.ts';
import { otlpRoutes } from './otlp.routes.ts';

test('parses an export only with a permit for large work', async () => {
  const app = openServer({ trustProxy: false, bodyLimit: 1024 });
  onTestFinished(() => app.close());
  app.decorate('gate', openGate({ poolSize: 10, streams: 10 }));
  const guard: Guard = () => async (request) => {
    const accountId = Number(request.headers['account']);
    const key = { id: accountId, accountId, projectIds: [] };
    request.access = {
      key,
      at: new Date(),
      startedAt: performance.now(),
    } as unknown as FastifyRequest['access'];
  };
  const read: number[] = [];
  const push = {
    push: async (_lines: unknown, { tenant }: Sender) => {
      read.push(tenant);
      return { stored: 1, duplicates: 0, dead: 0 };
    },
  } as unknown as PushSource;
  app.decorateRequest('access', null).decorateRequest('permits', null);
  otlpRoutes(app, { guard, push, randomness: nodeRandomness() });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const large = app.gate.permitsFor('large');
  const holders = [3, 4].filter((account) => large.take(account));
  expect(large.free).toBe(0);
  const body = new Uint8Array(encodeExport('json', anExport(7, [aLogRecord()])));
  const headers = { account: '2', 'content-type': MEDIA.json };
  const sent = fetch(`${url}/v1/logs`, { method: 'POST', headers, body });
  await until(() => large.waiting === 1);
  expect(read).toEqual([]);
  holders.forEach(large.give);
  expect((await sent).status).toBe(200);
  expect(read).toEqual([2]);
});
