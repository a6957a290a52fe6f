import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUT_MS, type KeyGrant } from '@plugin-config/domain';
import type { Deadline } from '@plugin-config/flow';
import { deadlineOf } from '@plugin-config/server';
import { testServer } from '@plugin-config/server/testing/test-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { receiveBody } from './json-body.ts';

const KEY: KeyGrant = {
  id: 1,
  accountId: 1,
  label: 'key',
  scopes: ['*'],
  projectIds: [1],
  pluginIds: [],
  expiresAt: null,
  revokedAt: null,
};
const PAUSE_MS = 40;
const BODY = Buffer.from(JSON.stringify({ text: 'x'.repeat(100_000) }));
const HEAD = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

/** Returns when a deadline ends, in milliseconds. */
function endOf(deadline: Deadline | undefined): number {
  return Math.round(performance.now() + (deadline?.remainingMs() ?? Number.NaN));
}

/** Opens a server with a handler that takes a while. */
async function startServer(ended = new AbortController().signal) {
  const app = testServer({ bodyLimit: 1024 * 1024 });
  const startedAt: number[] = [];
  const ends: number[] = [];
  app.addHook('onRequest', async (request) => {
    startedAt.push(performance.now());
    const access = {
      key: KEY,
      keyHash: '',
      actor: { keyId: KEY.id, label: KEY.label },
      caller: '',
      endsAt: null,
      at: new Date(),
      projectId: 1,
      timeline: { id: 'a', ended },
      familyVersion: 1,
      registryVersion: 0,
      recordId: null,
      record: null,
      admitAgain: () => Promise.reject(new Error('This request does not wait.')),
    };
    request.access = { ...access, startedAt: performance.now() };
  });
  const { promise: awaitsBody, resolve: awaitBody } = Promise.withResolvers<void>();
  app.addHook('preParsing', async () => awaitBody());
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    await receiveBody(request, reply);
    ends.push(endOf(deadlineOf(request)));
    await sleep(PAUSE_MS);
    ends.push(endOf(deadlineOf(request)));
    return 'done';
  };
  app.route({ method: 'POST', url: '/', handler });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return { socket, startedAt, ends, awaitsBody };
}

test('a request has one deadline for all its work', async () => {
  const { socket, startedAt, ends } = await startServer();
  socket.write(HEAD);
  socket.write(BODY);
  await once(socket, 'data');
  const [end = 0] = ends;
  for (const each of ends) expect(Math.abs(each - end)).toBeLessThanOrEqual(1);
  expect(ends).toHaveLength(2);
  expect(end - (startedAt[0] ?? 0)).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
});

test('receiving the body does not count towards the deadline', async () => {
  const { socket, startedAt, ends, awaitsBody } = await startServer();
  socket.write(HEAD);
  socket.write(BODY.subarray(0, 50_000));
  await awaitsBody;
  await sleep(PAUSE_MS);
  socket.write(BODY.subarray(50_000));
  await once(socket, 'data');
  expect((ends[0] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThan(TIMEOUT_MS + PAUSE_MS / 2);
});

test('a failover ends the deadlines of earlier requests', async () => {
  const failover = new AbortController();
  const { socket, startedAt, ends, awaitsBody } = await startServer(failover.signal);
  socket.write(HEAD);
  await awaitsBody;
  failover.abort();
  socket.write(BODY);
  await once(socket, 'data');
  expect((ends[0] ?? 0) - (startedAt[0] ?? 0)).toBeLessThan(TIMEOUT_MS / 2);
});
