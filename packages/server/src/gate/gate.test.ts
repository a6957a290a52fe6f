import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { Access } from '../access/access.ts';
import { testServer } from '../testing/test-server.ts';
import { until } from '../testing/until.ts';
import { leaveGate, openGate, parseInTurn, passGate, type Work } from './gate.ts';

const CHANGES_PER_MINUTE = 300;
const SOON_MS = 300;
const PARSING_MS = 20;

type Handle = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

function accessOfAccount(id: number, agoMs: number): Access {
  return {
    key: { id, accountId: id, projectIds: [] },
    startedAt: performance.now() - agoMs,
    timeline: { id: 'a', ended: new AbortController().signal },
  } as unknown as Access;
}

/** A server with a single route, for this kind of work. */
async function startServer(work: Work, handle: Handle) {
  const gate = openGate({ poolSize: 10, streams: 5_000 });
  const app = testServer({ gate });
  let agoMs = 0;
  app.addHook('onRequest', async (request) => {
    request.access = accessOfAccount(Number(request.headers['account'] ?? 1), agoMs);
  });
  app.get('/', (request, reply) => passGate(request, reply, work, handle));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    gate,
    permits: gate.permitsFor(work),
    send: async (account = 1) => (await fetch(url, { headers: { account: String(account) } })).status,
    /** Sets how much time later requests have left. */
    setRemaining: (remainingMs: number) => (agoMs = 4_000 - remainingMs),
  };
}

test('a request holds a permit while it is handled, and returns it after a response or an error', async () => {
  let isFailing = false;
  const { permits, send } = await startServer('large', async (_request, reply) => {
    expect(permits.free).toBe(1);
    await nextTurn();
    if (isFailing) throw new Error('A test.');
    reply.send('done');
  });
  expect([await send(), permits.free]).toEqual([200, 2]);
  isFailing = true;
  expect([await send(), permits.free]).toEqual([500, 2]);
});

test('a request that waits for others of its account times out, while another account is served', async () => {
  const end = Promise.withResolvers<void>();
  const { permits, send, setRemaining } = await startServer('large', async (_request, reply) => {
    await end.promise;
    reply.send('done');
  });
  const first = send(1);
  await until(() => permits.free === 1);
  setRemaining(SOON_MS);
  const start = performance.now();
  expect(await send(1)).toBe(503);
  expect(performance.now() - start).toBeGreaterThan(SOON_MS / 2);
  const other = send(2);
  await until(() => permits.free === 0);
  end.resolve();
  expect([await first, await other, permits.free]).toEqual([200, 200, 2]);
});

test('a request whose caller hangs up stops waiting', async () => {
  const end = Promise.withResolvers<void>();
  let handled = 0;
  const { url, permits, send } = await startServer('large', async (_request, reply) => {
    handled++;
    await end.promise;
    reply.send('done');
  });
  const first = send(1);
  await until(() => permits.free === 1);
  const caller = connect(Number(new URL(url).port), '127.0.0.1');
  caller.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => permits.waiting === 1);
  caller.destroy();
  await until(() => permits.waiting === 0);
  end.resolve();
  expect([await first, permits.free, handled]).toEqual([200, 2, 1]);
});

test('a response sent at the pace of its reader holds no permit', async () => {
  const read = Promise.withResolvers<void>();
  const { permits, send } = await startServer('large', async (request, reply) => {
    leaveGate(request);
    await read.promise;
    reply.send('done');
  });
  const slow = [send(), send(), send()];
  await nextTurn();
  expect(permits.free).toBe(2);
  read.resolve();
  expect([await Promise.all(slow), permits.free]).toEqual([[200, 200, 200], 2]);
});

test('changes are limited per account and minute', () => {
  const gate = openGate({ poolSize: 10, streams: 5_000 });
  for (let change = 0; change < CHANGES_PER_MINUTE; change++) gate.countChange(1);
  expect(() => gate.countChange(1)).toThrow('changes to keys, projects, plugins, alerts and webhooks');
  gate.countChange(2);
});

test.for([
  [5_000, 500],
  [600, 300],
] as const)('of %i streams, an account can have %i', ([streams, share]) => {
  const { take } = openGate({ poolSize: 10, streams }).streams.reservation(1);
  for (let stream = 0; stream < share; stream++) expect(take(1)).toBe('granted');
  expect(take(1)).toBe('share exceeded');
});

test('even the smallest pool has a permit for slow work', () => {
  const { take } = openGate({ poolSize: 2, streams: 5_000 }).permitsFor('slow');
  expect([take(1), take(2)]).toEqual([true, false]);
});

test('a large body waits for as long as the last one of its account took, but not for large work of others', async () => {
  const spans: { readonly start: number; readonly end: number }[] = [];
  const { gate, send } = await startServer('request', async (request, reply) => {
    await parseInTurn(request, reply, () => {
      const start = performance.now();
      while (performance.now() < start + PARSING_MS);
      spans.push({ start, end: performance.now() });
    });
    await reply.send();
  });
  expect([8, 9].map((account) => gate.permitsFor('large').take(account))).toEqual([true, true]);
  expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
  const rests = spans.slice(1).map(({ start }, n) => start - (spans[n]?.end ?? Infinity));
  expect(Math.min(...rests)).toBeGreaterThan(PARSING_MS - 2);
});
