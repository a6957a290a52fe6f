import { nodeRandomness } from '@plugin-config/persistence';
import { openGate, openServer, type Guard } from '@plugin-config/server';
import { until } from '@plugin-config/server/testing';
import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { aLogRecord, anExport, encodeExport, MEDIA } from '../../testing/otlp.ts';
import type { PushSource, Sender } from '../push/push-source.ts';
import { otlpRoutes } from './otlp.routes.ts';

/** Parsing this many log records takes many time slices. */
const LONG_EXPORT = 50_000;

/** An app with the route. `pushed` collects the accounts whose exports were read completely. */
async function startApp() {
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
  const pushed: number[] = [];
  const push = {
    push: async (_lines: unknown, { tenant }: Sender) => {
      pushed.push(tenant);
      return { stored: 1, duplicates: 0, dead: 0 };
    },
  } as unknown as PushSource;
  otlpRoutes(app, { guard, push, randomness: nodeRandomness() });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, large: app.gate.permitsFor('large'), pushed };
}

test('parses an export only with a permit for large work', async () => {
  const { url, large, pushed } = await startApp();
  const holders = [3, 4].filter((account) => large.take(account));
  expect(large.free).toBe(0);
  const body = new Uint8Array(encodeExport('json', anExport(7, [aLogRecord()])));
  const headers = { account: '2', 'content-type': MEDIA.json };
  const sent = fetch(`${url}/v1/logs`, { method: 'POST', headers, body });
  await until(() => large.waiting === 1);
  expect(pushed).toEqual([]);
  holders.forEach(large.give);
  expect((await sent).status).toBe(200);
  expect(pushed).toEqual([2]);
});

test.for(['json', 'protobuf'] as const)(
  '%s: stops parsing an export when its sender hangs up',
  async (encoding) => {
    const { url, large, pushed } = await startApp();
    const body = encodeExport(
      encoding,
      anExport(
        7,
        Array.from({ length: LONG_EXPORT }, () => aLogRecord()),
      ),
    );
    const sender = connect(Number(new URL(url).port), '127.0.0.1');
    const head = `POST /v1/logs HTTP/1.1\r\nHost: x\r\nAccount: 2\r\nContent-Type: ${MEDIA[encoding]}`;
    sender.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n`);
    sender.write(body);
    await until(() => large.free === 1);
    sender.destroy();
    await until(() => large.free === 2);
    expect(pushed).toEqual([]);
  },
);
