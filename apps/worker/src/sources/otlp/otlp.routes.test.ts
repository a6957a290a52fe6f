import { nodeRandomness } from '@plugin-config/persistence';
import { openGate, openServer, type Guard } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { aLogRecord, anExport, encodeExport, MEDIA } from '../../testing/otlp.ts';
import type { PushSource, Sender } from '../push/push-source.ts';
import { otlpRoutes } from './otlp.routes.ts';

const EXPORTS = 20;

test('however many exports of an account are read, another one gets its turn', async () => {
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
  const records = Array.from({ length: 1000 }, () => aLogRecord());
  const body = new Uint8Array(encodeExport('json', anExport(7, records)));
  const send = async (account: number) => {
    const headers = { account: String(account), 'content-type': MEDIA.json };
    return (await fetch(`${url}/v1/logs`, { method: 'POST', headers, body })).status;
  };
  const own = Array.from({ length: EXPORTS }, () => send(1));
  const other = send(2);
  expect(new Set(await Promise.all([...own, other]))).toEqual(new Set([200]));
  expect(read.indexOf(2)).toBeLessThan(EXPORTS / 2);
});
