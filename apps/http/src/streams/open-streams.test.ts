import { anAuthor } from '@plugin-config/testing';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';
import { until } from '@plugin-config/server/testing';
import { DomainError } from '@plugin-config/domain';
import { budget, type Budget } from '@plugin-config/flow';
import { structuredLogger } from '@plugin-config/server';
import { expect, onTestFinished } from 'vitest';
import { follow } from '../testing/follow.ts';
import { expireSoon, openService, test, type Service } from '../testing/service.fixture.ts';
import { openStreams, type OpenStreams } from './open-streams.ts';
import { KEY_CHECK_MS, watchedKeys } from './watched-keys.ts';
import type { StartParts } from './open-stream.ts';

/** How soon the streams of an invalid key end, as documented. */
const END_WITHIN_MS = 15_000;
const MIB = 1024 * 1024;

test('other events are handled between the streams of callers that reconnect at once', async ({
  service,
  project,
}) => {
  const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
  const { token } = await service.issueKey();
  let open = 0;
  let most = 0;
  const count = (): void => {
    most = Math.max(most, service.app.streams.open - open);
    open = service.app.streams.open;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const opened = await Promise.all(Array.from({ length: 300 }, () => follow(url, { token })));
  clearImmediate(immediate);
  expect(most).toBeLessThanOrEqual(40);
  for (const each of opened) await each.close();
});

test('the streams of a revoked or expired key end at the next check; others do not', async ({
  service,
  project,
  database,
}) => {
  const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
  const [revoked, expiring, lasting] = [
    await service.issueKey(),
    await service.issueKey(),
    await service.issueKey(),
  ];
  await using one = await follow(url, revoked);
  await using two = await follow(url, expiring);
  await using three = await follow(url, lasting);
  for (const each of [one, two, three]) expect(await each.next()).toMatchObject({ event: null });
  await expireSoon(database, expiring);
  await service.ports.keys.revoke(revoked.key.id, null, anAuthor({ at: new Date() }));
  expect(await one.named(1)).toMatchObject([{ event: 'end', data: { reason: 'key_revoked' } }]);
  expect(await two.named(1)).toMatchObject([{ event: 'end', data: { reason: 'key_expired' } }]);
  expect(KEY_CHECK_MS).toBeLessThan(END_WITHIN_MS / 2);
  expect([await one.next(), await two.next(), service.app.streams.open]).toEqual([null, null, 1]);
});

test('HEAD returns immediately without a stream', async ({ service, project }) => {
  const { token } = await service.issueKey();
  const response = await fetch(`${service.url}/api/projects/${project.id}/plugin_configs/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(service.app.streams.open).toBe(0);
});

test('a stream is never compressed, and pages of allowed origins can read it', async () => {
  const origin = 'https://shop.example.com';
  const service = await openService({ corsOrigins: new Set([origin]) });
  onTestFinished(() => service.close());
  const project = await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
  const { token } = await service.issueKey();
  await using stream = await follow(`${service.url}/api/projects/${project.id}/plugin_configs/stream`, {
    token,
    headers: { 'accept-encoding': 'br, gzip', origin },
  });
  expect(await stream.next()).toMatchObject({ event: null });
  expect(stream.headers.get('content-encoding')).toBeNull();
  expect(stream.headers.get('access-control-allow-origin')).toBe(origin);
  expect(stream.headers.get('cache-control')).toContain('no-transform');
});

test('a shutdown ends the streams with a delay before the next attempt', async () => {
  const service = await openService();
  const project = await service.ports.projects.create({ name: 'One' }, anAuthor({ at: new Date() }));
  const { token } = await service.issueKey();
  const url = `${service.url}/api/projects/${project.id}/plugin_configs/stream`;
  await using stream = await follow(url, { token });
  await stream.next();
  const closed = service.close();
  expect(await stream.next()).toMatchObject({
    event: 'end',
    data: { reason: 'shutdown' },
    retry: expect.any(Number),
  });
  expect(await stream.next()).toBeNull();
  await closed;
});

test('a stream is counted in the metrics and logged once, at its end', async ({ service, project, call }) => {
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length),
    );
  };
  const before = {
    ends: await metric('event_stream_ends_total{reason="closed"}'),
    events: await metric('event_stream_events_total'),
  };
  const { token, key } = await service.issueKey();
  const stream = await follow(`${service.url}/api/projects/${project.id}/plugin_configs/stream`, { token });
  await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  await stream.named(1);
  expect(await metric('event_streams')).toBe(1);
  const lines = () =>
    service.log.filter((line) => line.includes('/stream"') && line.includes(`"key_id":${key.id}`));
  expect(lines()).toEqual([]);
  await stream.close();
  await until(async () => (await metric('event_streams')) === 0);
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { status: 200, events: 1, ended_by: 'closed' },
  ]);
  expect(await metric('event_stream_ends_total{reason="closed"}')).toBe(before.ends + 1);
  expect(await metric('event_stream_events_total')).toBe(before.events + 1);
});

test('a process has a maximum number of streams; the next one returns 503', async ({ service, project }) => {
  const { key } = await service.issueKey();
  const rejections: unknown[] = [];
  const { url, streams } = await serveStreams(
    service,
    { key, projectId: project.id },
    async (serve, reply) => {
      try {
        await serve();
      } catch (error) {
        rejections.push(error);
        reply.code(503).send();
      }
    },
  );
  const statuses: (number | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    const [response] = await once(request(url).end(), 'response');
    statuses.push(response.statusCode);
  }
  expect([statuses, streams.open]).toEqual([[200, 200, 503], 2]);
  expect(rejections).toEqual([expect.any(DomainError)]);
  expect(rejections).toMatchObject([{ code: 'busy', retryAfterSeconds: 5 }]);
});

test('a caller that disconnects before its stream begins leaves no open stream', async ({
  service,
  project,
}) => {
  const { key } = await service.issueKey();
  const arrived = Promise.withResolvers<void>();
  const served = Promise.withResolvers<void>();
  const { url, streams } = await serveStreams(
    service,
    { key, projectId: project.id },
    async (serve, reply) => {
      arrived.resolve();
      await once(reply.raw, 'close');
      await serve();
      served.resolve();
    },
  );
  const caller = request(url).on('error', () => undefined);
  caller.end();
  await arrived.promise;
  caller.destroy();
  await served.promise;
  expect(streams.open).toBe(0);
});

test('a part that exceeds the memory of the account ends the stream with a reason', async ({
  service,
  project,
}) => {
  const { key } = await service.issueKey();
  const { url, streams, memory } = await serveStreams(
    service,
    { key, projectId: project.id },
    (serve) => serve(),
    largePart(17 * MIB),
  );
  const response = await fetch(url);
  expect(await response.text()).toBe('event: end\ndata: {"reason":"slow_reader"}\n\n');
  expect([memory.used, streams.ends.get('slow_reader')]).toEqual([0, 1]);
});

test('unread bytes count until they are read or the connection closes, even after the stream ends', async ({
  service,
  project,
}) => {
  const { key } = await service.issueKey();
  const { url, streams, memory } = await serveStreams(
    service,
    { key, projectId: project.id },
    (serve) => serve(),
    largePart(15 * MIB),
  );
  const caller = request(url).on('error', () => undefined);
  const [response] = await once(caller.end(), 'response');
  response.on('error', () => undefined).pause();
  await until(() => memory.used > 15 * MIB);
  streams.shutDown();
  await sleep(20);
  expect(memory.used).toBeGreaterThan(15 * MIB);
  caller.destroy();
  await until(() => memory.used === 0);
  expect(streams.open).toBe(0);
});

test('only the first of several streams pipelined on one connection is served; the others take no permit', async ({
  service,
  project,
}) => {
  const { key } = await service.issueKey();
  const outcomes: unknown[] = [];
  const { url, streams } = await serveStreams(
    service,
    { key, projectId: project.id },
    async (serve, reply) => {
      outcomes.push(await serve().then(() => 'served', String));
      if (outcomes.at(-1) !== 'served') reply.code(503).send();
    },
  );
  const { hostname, port } = new URL(url);
  const caller = connect(Number(port), hostname);
  caller.write(`GET / HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(20));
  await until(() => outcomes.length === 20);
  expect(outcomes.filter((outcome) => outcome === 'served')).toHaveLength(1);
  expect(new Set(outcomes.filter((outcome) => outcome !== 'served'))).toEqual(
    new Set([
      'DomainError: The connection has a pending response. Open the stream on a separate connection.',
    ]),
  );
  expect(streams.open).toBe(1);
  caller.destroy();
  await until(() => streams.open === 0);
});

/** Serves at most two streams with the given handler. */
async function serveStreams(
  { ports: { probe, clock } }: Service,
  admitted: Pick<NonNullable<FastifyRequest['access']>, 'key' | 'projectId'>,
  handle: (serve: () => Promise<void>, reply: FastifyReply) => void | Promise<void>,
  parts: StartParts = idle,
): Promise<{ readonly url: string; readonly streams: OpenStreams; readonly memory: Budget }> {
  const app = fastify();
  onTestFinished(() => app.close());
  const logger = structuredLogger('http', 'debug', { write: () => true });
  // An account may take at most half of the streams, and leaves some for others.
  const ofProcess = budget({ amount: 4, share: 4 });
  const memory = budget({ amount: 64 * MIB, share: 16 * MIB });
  const keys = watchedKeys({ probe, clock, logger });
  const streams = openStreams({ keys, logger, gate: { streams: ofProcess, memory } });
  app.addHook('preClose', async () => streams.shutDown());
  app.decorateRequest('stream', null).decorateRequest('span', null);
  app.get('/', (incoming, reply) => {
    const path = { recordId: null };
    const admitAgain = () => Promise.reject(new Error('This request does not wait.'));
    const { key } = admitted;
    const at = {
      ...path,
      keyHash: '',
      actor: { keyId: key.id, label: key.label },
      caller: '',
      admitAgain,
      timeline: { id: 'a', ended: new AbortController().signal },
      familyVersion: 1,
      registryVersion: 0,
    };
    incoming.access = { ...admitted, ...at, endsAt: null, at: new Date(), startedAt: 0, record: null };
    return handle(() => streams.serve(incoming, reply, async () => parts), reply);
  });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), streams, memory };
}

async function* idle(signal: AbortSignal): AsyncGenerator<readonly never[]> {
  yield [];
  if (!signal.aborted) await once(signal, 'abort');
}

function largePart(bytes: number): StartParts {
  return async function* parts(signal) {
    yield [{ id: '1', event: 'log', data: 'x'.repeat(bytes) }];
    yield* idle(signal);
  };
}
