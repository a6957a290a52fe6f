import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { PluginConfigError } from '../http/error.ts';
import { errorResponse, fakeService, type FakeResponse, type FakeService } from '../testing/fake-service.ts';
import type { StreamEvent } from '../wire.ts';
import { eventStream, type StreamOptions } from './event-stream.ts';

const RETRY = { attempts: 3, baseMs: 1, maxPauseMs: 2, totalMs: 30_000 };
const UNAVAILABLE = errorResponse(503, 'unavailable', { headers: { 'retry-after': '0' } });
const SHUTDOWN = 'retry: 1\nevent: end\ndata: {"reason":"shutdown"}\n\n';

test('events have their name, id and data', async () => {
  await using service = await streamService([
    (response) => response.write(`: hello\n\nid: a\n\n${event(1)}retry: 9\n\n${event(2)}`),
  ]);
  expect(await take(2, streamOf(service))).toEqual([
    { event: 'log', id: '1', data: { n: 1 } },
    { event: 'log', id: '2', data: { n: 2 } },
  ]);
  expect(service.requests.map(({ headers }) => [headers.accept, headers['last-event-id']])).toEqual([
    ['text/event-stream', undefined],
  ]);
});

test('nothing is sent before the first iteration, and each loop starts again', async () => {
  await using service = await streamService([
    (response) => response.write(event(1)),
    (response) => response.write(event(2)),
  ]);
  const stream = streamOf(service, { lastEventId: '0' });
  expect(service.requests).toHaveLength(0);
  expect([await take(1, stream), await take(1, stream)]).toMatchObject([[{ id: '1' }], [{ id: '2' }]]);
  expect(lastIdsOf(service)).toEqual(['0', '0']);
});

test('a stream resumes after the last event, whatever ended its connection', async () => {
  const errors: string[] = [];
  await using service = await streamService([
    (response) => response.end(event(1) + event(2)),
    (response) => response.write(`${event(3)}id: 4\ndata: {"n":4}\n`, () => response.destroy()),
    (response) => response.end('id: 5\n\n'),
    (response) => response.end(`${event(6)}${SHUTDOWN}`),
    (response) => response.end(`event: end\ndata: {"reason":"slow_reader"}\n\n`),
    'hang up',
    UNAVAILABLE,
    UNAVAILABLE,
    UNAVAILABLE,
    UNAVAILABLE,
    (response) => response.write(event(7)),
  ]);
  const events = await take(5, streamOf(service, { onError: ({ detail }) => errors.push(detail) }));
  expect(events.map(({ id }) => id)).toEqual(['1', '2', '3', '6', '7']);
  expect(lastIdsOf(service)).toEqual([undefined, '2', '3', '5', '6', '6', '6', '6', '6', '6', '6']);
  expect(errors).toEqual([
    'The connection was closed.',
    'The connection was lost.',
    'The connection was closed.',
    'The service ended the stream: shutdown.',
    'The service ended the stream: slow_reader.',
    'The service could not be reached.',
    ...Array.from({ length: 4 }, () => 'It is unavailable.'),
  ]);
});

test('a reset is an event, and the stream continues from its id', async () => {
  await using service = await streamService([
    (response) => response.end('id: 9\nevent: reset\ndata: {"reason":"unknown_cursor"}\n\n'),
    (response) => response.write(event(10)),
  ]);
  expect(await take(2, streamOf(service, { lastEventId: 'old' }))).toEqual([
    { event: 'reset', id: '9', data: { reason: 'unknown_cursor' } },
    { event: 'log', id: '10', data: { n: 10 } },
  ]);
  expect(lastIdsOf(service)).toEqual(['old', '9']);
});

test.for(['key_revoked', 'key_expired'])(
  'a stream whose key is no longer valid fails: %s',
  async (reason) => {
    await using service = await streamService([
      (response) => response.end(`${event(1)}event: end\ndata: {"reason":"${reason}"}\n\n`),
    ]);
    const events: StreamEvent[] = [];
    await expect(collect(events, streamOf(service))).rejects.toMatchObject({
      name: 'PluginConfigError',
      code: 'authentication_failed',
      type: 'authentication_error',
      detail: `The service ended the stream: ${reason}.`,
    });
    expect([events.length, service.requests.length]).toEqual([1, 1]);
  },
);

test('a permanent error ends the stream, on the first connection and on later ones', async () => {
  await using service = await streamService([
    errorResponse(404, 'not_found'),
    (response) => response.end(event(1)),
    errorResponse(401, 'authentication_failed'),
  ]);
  await expect(collect([], streamOf(service))).rejects.toMatchObject({ code: 'not_found', status: 404 });
  await expect(collect([], streamOf(service))).rejects.toMatchObject({ code: 'authentication_failed' });
  expect(service.requests).toHaveLength(3);
});

test('an unavailable service is an error after the usual attempts', async () => {
  await using service = await fakeService(() => UNAVAILABLE);
  await expect(collect([], streamOf(service))).rejects.toMatchObject({ code: 'unavailable' });
  expect(service.requests).toHaveLength(3);
});

test('the pause is at least as long as the stream requests', async () => {
  const times: number[] = [];
  const recordTime = (response: ServerResponse): unknown =>
    response.end(`${event(times.push(performance.now()))}retry: 300\n\n`);
  await using service = await streamService([recordTime, recordTime]);
  await take(2, streamOf(service));
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(290);
});

test('a silent connection is replaced, and comments keep it open', async () => {
  const errors: string[] = [];
  await using service = await streamService([
    (response) => {
      const comments = setInterval(() => response.write(': \n\n'), 20);
      const late = setTimeout(() => {
        clearInterval(comments);
        response.write(event(1));
      }, 2000);
      response.on('close', () => clearTimeout(late));
    },
    (response) => response.write(event(2)),
  ]);
  const stream = streamOf(service, { silenceMs: 1000, onError: ({ detail }) => errors.push(detail) });
  expect((await take(2, stream)).map(({ id }) => id)).toEqual(['1', '2']);
  expect(errors).toEqual(['Nothing was received for 1000 ms.']);
});

test('a slow consumer does not count as silence', async () => {
  await using service = await streamService([(response) => response.write(event(1) + event(2))]);
  const ids: string[] = [];
  for await (const { id } of streamOf(service, { silenceMs: 50 })) {
    await new Promise((resolve) => setTimeout(resolve, 150));
    if (ids.push(id) === 2) break;
  }
  expect([ids, service.requests.length]).toEqual([['1', '2'], 1]);
});

test('a connection without a response is retried', async () => {
  await using service = await fakeService((_, number) =>
    number === 1 ? new Promise(() => {}) : { ...STREAM, stream: (response) => response.write(event(1)) },
  );
  expect(await take(1, streamOf(service, { timeoutMs: 1000 }))).toHaveLength(1);
});

test('leaving the loop closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  await using service = await streamService([
    (response) => {
      response.on('close', closed.resolve);
      response.write(event(1));
    },
  ]);
  for await (const { id } of streamOf(service)) if (id === '1') break;
  await closed.promise;
});

test('an abort throws the reason of the signal: before, while waiting for an event, and in a pause', async () => {
  const reason = new Error('The page was left.');
  const losses: PluginConfigError[] = [];
  await using service = await streamService([() => {}, (response) => response.end('retry: 60000\n\n')]);
  const aborted = streamOf(service, { signal: AbortSignal.abort(reason) });
  await expect(collect([], aborted)).rejects.toBe(reason);
  expect(service.requests).toHaveLength(0);
  for (const isReached of [() => service.requests.length === 1, () => losses.length === 1]) {
    const controller = new AbortController();
    const options = { signal: controller.signal, onError: (error: PluginConfigError) => losses.push(error) };
    const following = collect([], streamOf(service, options));
    following.catch(() => {});
    while (!isReached()) await new Promise(setImmediate);
    controller.abort(reason);
    await expect(following).rejects.toBe(reason);
  }
});

test('onOpen is called with the cursor of each connection', async () => {
  const seen: string[] = [];
  await using service = await streamService([
    (response) => {
      seen.push('connected');
      response.write(': \n\n');
      setTimeout(() => response.write('id: 1\n\n'), 50);
      setTimeout(() => response.end(event(2)), 100);
    },
    (response) => response.write(event(3)),
  ]);
  const stream = streamOf(service, { onOpen: (cursor) => seen.push(`open at ${cursor}`) });
  for await (const { id } of stream) {
    seen.push(id);
    if (id === '3') break;
  }
  expect(seen).toEqual(['connected', 'open at 1', '2', 'open at 3', '3']);
});

test.for([
  ['an event that is not JSON', (response: ServerResponse) => response.write('data: x\n\n'), {}],
  [
    'an event without an end',
    (response: ServerResponse) => response.write(`data: ${'x'.repeat(1_100_000)}`),
    {},
  ],
  [
    'an HTML page',
    (response: ServerResponse) => response.end('<html></html>'),
    { 'content-type': 'text/html' },
  ],
] as const)('%s is not from the service', async ([, write, headers]) => {
  await using service = await fakeService(() => ({
    headers: { ...STREAM.headers, ...headers },
    stream: write,
  }));
  await expect(collect([], streamOf(service))).rejects.toMatchObject({ code: 'unreadable' });
  expect(service.requests).toHaveLength(1);
});

const STREAM = { headers: { 'content-type': 'text/event-stream' } };

/** Responds to each request with the next of these responses. */
async function streamService(
  responses: readonly (((response: ServerResponse) => unknown) | FakeResponse | 'hang up')[],
): Promise<FakeService> {
  return fakeService((_, number) => {
    const response = responses[number - 1] ?? 'hang up';
    return typeof response === 'function' ? { ...STREAM, stream: response } : response;
  });
}

function event(n: number): string {
  return `id: ${n}\nevent: log\ndata: {"n":${n}}\n\n`;
}

function streamOf({ url }: FakeService, options: StreamOptions = {}): AsyncIterable<StreamEvent> {
  const requestOf = (lastEventId: string) => ({
    method: 'GET',
    url: new URL(url),
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
    },
  });
  return eventStream({ requestOf, fetch, timeoutMs: 10_000, retry: RETRY }, options);
}

async function take(count: number, stream: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const one of stream) if (events.push(one) === count) break;
  return events;
}

async function collect(events: StreamEvent[], stream: AsyncIterable<StreamEvent>): Promise<void> {
  for await (const one of stream) events.push(one);
}

function lastIdsOf({ requests }: FakeService): readonly unknown[] {
  return requests.map(({ headers }) => headers['last-event-id']);
}
