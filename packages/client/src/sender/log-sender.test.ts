import { expect, onTestFinished, test, vi } from 'vitest';
import type { PluginConfigError } from '../http/error.ts';
import { errorResponse, fakeService, type FakeService, type SeenRequest } from '../testing/fake-service.ts';
import { logSender, type LogSender, type LogSenderOptions } from './log-sender.ts';

const NEVER = 1_000_000;

interface SentLine {
  readonly id: string;
  readonly timestamp: string;
  readonly plugin_config_id: number;
  readonly type: string;
  readonly message: string;
}

test('a logger sends lines with an id, a time and a type', async () => {
  await using worker = await ingestion();
  const sender = senderTo(worker);
  const log = sender.logger(42, { instance_id: '0197a3f0-1111-7222-8333-944455556666' });
  await log.info('Exported 120 events');
  await log.error('Lost the connection');
  expect(await sender.flush()).toEqual({ stored: 2, duplicates: 0, dead: 0 });
  const [request] = worker.requests;
  expect(request).toMatchObject({
    method: 'POST',
    path: '/ingest',
    headers: { authorization: 'Bearer phx_key', 'content-type': 'application/x-ndjson' },
  });
  expect(linesOf(worker)).toMatchObject([
    { plugin_config_id: 42, type: 'INFO', message: 'Exported 120 events' },
    { plugin_config_id: 42, type: 'ERROR', message: 'Lost the connection' },
  ]);
  const [first, second] = linesOf(worker);
  expect((first?.id ?? '') < (second?.id ?? '')).toBe(true);
  expect(Date.parse(first?.timestamp ?? '')).toBeGreaterThan(0);
});

test('a message keeps its fields, and one with an id gets no timestamp', async () => {
  await using worker = await ingestion();
  const sender = senderTo(worker);
  const id = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
  const timestamp = '2026-03-01T09:30:00.000Z';
  await sender.send({ plugin_config_id: 1, message: 'a', id });
  await sender.send({ plugin_config_id: 1, message: 'b', timestamp, id: undefined });
  await sender.send({
    kind: 'delivery',
    plugin_config_id: 1,
    successes: 1,
    successes_on_retry: 0,
    failures: 0,
  });
  await sender.send({ kind: 'error', plugin_config_id: 1, error: null });
  await sender.flush();
  const [a, b, delivery, error] = linesOf(worker);
  expect(a).toEqual({ plugin_config_id: 1, message: 'a', id });
  expect(b).toMatchObject({ timestamp, id: expect.stringMatching(/^.{14}7/) as unknown });
  expect(delivery).toMatchObject({
    id: expect.any(String) as unknown,
    timestamp: expect.any(String) as unknown,
  });
  expect(error).toEqual({
    kind: 'error',
    plugin_config_id: 1,
    error: null,
    timestamp: expect.any(String) as unknown,
  });
});

test('a batch is sent when it has enough lines or bytes, or has waited', async () => {
  await using worker = await ingestion();
  const byLines = senderTo(worker, { batchLines: 3 });
  await sendAll(byLines, ['1', '2', '3']);
  await until(() => worker.requests.length === 1);
  const byBytes = senderTo(worker, { batchBytes: 2_000 });
  await sendAll(byBytes, ['x'.repeat(900), 'y'.repeat(900)]);
  await until(() => worker.requests.length === 2);
  const byTime = senderTo(worker, { lingerMs: 5 });
  await sendAll(byTime, ['late']);
  await until(() => worker.requests.length === 3);
  expect(worker.requests.map(messagesOf)).toEqual([['1', '2', '3'], ['x'.repeat(900)], ['late']]);
});

test('the first line of each batch waits equally long, whatever triggered the previous batch', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using worker = await ingestion();
  const sender = senderTo(worker, { lingerMs: 200 });
  await sendAll(sender, ['flushed']);
  await sender.flush();
  vi.advanceTimersByTime(150);
  await sendAll(sender, ['a']);
  vi.advanceTimersByTime(199);
  await sendAll(sender, ['b']);
  vi.advanceTimersByTime(1);
  await sender.flush();
  await sendAll(sender, ['c']);
  await sendAll(sender, ['d']);
  await sender.flush();
  expect(worker.requests.map(messagesOf)).toEqual([['flushed'], ['a', 'b'], ['c', 'd']]);
});

test('batches are sent one at a time, in the order of the calls', async () => {
  let inFlight = 0;
  let maxInFlight = 0;
  await using worker = await ingestion(async () => {
    maxInFlight = Math.max(maxInFlight, ++inFlight);
    await new Promise(setImmediate);
    inFlight--;
  });
  const sender = senderTo(worker, { batchLines: 10 });
  const messages = Array.from({ length: 95 }, (_, index) => String(index));
  await sendAll(sender, messages);
  expect(await sender.flush()).toMatchObject({ stored: 95 });
  expect(maxInFlight).toBe(1);
  expect(worker.requests).toHaveLength(10);
  expect(worker.requests.flatMap(messagesOf)).toEqual(messages);
});

test('a batch is retried with the same bytes', async () => {
  const errors: string[] = [];
  await using worker = await fakeService((request, number) => {
    if (number === 1) return 'hang up';
    if (number === 2) return errorResponse(503, 'unavailable', { headers: { 'retry-after': '0' } });
    if (number === 3) return errorResponse(429, 'throttled', { headers: { 'retry-after': '0' } });
    return { body: { stored: 0, duplicates: messagesOf(request).length, dead: 0 } };
  });
  const sender = senderTo(worker, { onError: ({ code }: PluginConfigError) => errors.push(code) });
  await sendAll(sender, ['a'.repeat(600), 'b'.repeat(600)]);
  expect(await sender.flush()).toEqual({ stored: 0, duplicates: 2, dead: 0 });
  const bodies = worker.requests.map(({ bytes }) => bytes.toString('hex'));
  expect([bodies.length, new Set(bodies).size]).toEqual([4, 1]);
  expect(errors).toEqual(['unreachable', 'unavailable', 'throttled']);
});

test('a batch is compressed unless it is very small', async () => {
  await using worker = await ingestion();
  const sender = senderTo(worker);
  await sendAll(sender, ['short']);
  await sender.flush();
  await sendAll(sender, ['long'.repeat(1_000)]);
  await sender.flush();
  const [short, long] = worker.requests;
  expect(short?.headers['content-encoding']).toBeUndefined();
  expect(long?.headers['content-encoding']).toBe('gzip');
  expect(long?.bytes.length).toBeLessThan(500);
});

test('send waits while too many bytes are not stored yet', async () => {
  const gate = Promise.withResolvers<void>();
  await using worker = await ingestion(() => gate.promise);
  const sender = senderTo(worker, { maxBytes: 1_500, batchLines: 1 });
  await sender.send({ plugin_config_id: 1, message: 'x'.repeat(1_000) });
  let isAccepted = false;
  const waiting = sender
    .send({ plugin_config_id: 1, message: 'y'.repeat(1_000) })
    .then(() => (isAccepted = true));
  await until(() => worker.requests.length === 1);
  expect(isAccepted).toBe(false);
  gate.resolve();
  await waiting;
  expect(await sender.flush()).toMatchObject({ stored: 2 });
});

test('send rejects at twice the limit if callers do not wait, and the rest is stored', async () => {
  const gate = Promise.withResolvers<void>();
  await using worker = await ingestion(() => gate.promise);
  const sender = senderTo(worker, { maxBytes: 1_000 });
  const calls = ['a', 'b', 'c'].map((letter) =>
    sender.send({ plugin_config_id: 1, message: letter.repeat(800) }),
  );
  await expect(calls[2]).rejects.toMatchObject({ code: 'sender_full', status: null });
  gate.resolve();
  expect(await sender.flush()).toMatchObject({ stored: 2 });
});

test('a signal ends a wait, but the message is still sent', async () => {
  const gate = Promise.withResolvers<void>();
  await using worker = await ingestion(() => gate.promise);
  const sender = senderTo(worker, { maxBytes: 10 });
  const controller = new AbortController();
  const { signal } = controller;
  const waits = [sender.send({ plugin_config_id: 1, message: 'a' }, { signal }), sender.flush({ signal })];
  controller.abort(new Error('Enough.'));
  for (const wait of waits) await expect(wait).rejects.toThrow('Enough.');
  gate.resolve();
  expect(await sender.flush()).toMatchObject({ stored: 1 });
});

test('a message that is too large is rejected without affecting others', async () => {
  await using worker = await ingestion();
  const sender = senderTo(worker);
  await sendAll(sender, ['before']);
  const large = sender.send({ plugin_config_id: 1, message: 'x'.repeat(1_048_577) });
  await expect(large).rejects.toMatchObject({ code: 'message_too_large' });
  await sendAll(sender, ['after']);
  expect(await sender.flush()).toMatchObject({ stored: 2 });
  expect(worker.requests.flatMap(messagesOf)).toEqual(['before', 'after']);
});

test('after a permanent error, every call rejects with it', async () => {
  await using worker = await fakeService(() => errorResponse(401, 'authentication_failed'));
  const sender = senderTo(worker);
  await sendAll(sender, ['lost']);
  const rejected = { code: 'authentication_failed', status: 401 };
  await expect(sender.flush()).rejects.toMatchObject(rejected);
  await expect(sender.send({ plugin_config_id: 1, message: 'later' })).rejects.toMatchObject(rejected);
  await expect(sender.close()).rejects.toMatchObject(rejected);
  expect(worker.requests).toHaveLength(1);
});

test('a failure without a waiting caller is not an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  await using worker = await fakeService(() => errorResponse(403, 'permission_denied'));
  const sender = senderTo(worker, { lingerMs: 0 });
  void sender.logger(1).info('lost');
  await expect(sender.flush()).rejects.toMatchObject({ code: 'permission_denied' });
  void sender.logger(1).info('lost too');
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

test('a closed sender has stored everything, and rejects further messages', async () => {
  await using worker = await ingestion();
  const sender = senderTo(worker);
  await sendAll(sender, ['a', 'b']);
  expect(await sender.close()).toEqual({ stored: 2, duplicates: 0, dead: 0 });
  const late = sender.send({ plugin_config_id: 1, message: 'late' });
  await expect(late).rejects.toMatchObject({ code: 'sender_closed' });
});

test('the signal of close gives up on messages that are not stored', async () => {
  await using worker = await fakeService(() => errorResponse(503, 'unavailable'));
  const sender = senderTo(worker);
  await sendAll(sender, ['lost']);
  const controller = new AbortController();
  const closing = sender.close({ signal: controller.signal });
  await until(() => worker.requests.length === 1);
  controller.abort(new Error('The process must end.'));
  await expect(closing).rejects.toThrow('The process must end.');
});

test('dead letters are counted, and named by their number since the start', async () => {
  const errors = [{ line: 2, reason: 'not_json', detail: 'The message is not JSON.' }];
  await using worker = await fakeService(() => ({ body: { stored: 1, duplicates: 0, dead: 1, errors } }));
  const sender = senderTo(worker);
  await sendAll(sender, ['good', 'dead']);
  await sender.flush();
  await sendAll(sender, ['good', 'dead']);
  const later = errors.map((error) => ({ ...error, line: 4 }));
  expect(await sender.flush()).toEqual({ stored: 2, duplicates: 0, dead: 2, errors: [...errors, ...later] });
});

async function ingestion(before: () => Promise<void> | undefined = () => undefined): Promise<FakeService> {
  return fakeService(async (request) => {
    await before();
    return { body: { stored: request.text.trimEnd().split('\n').length, duplicates: 0, dead: 0 } };
  });
}

/** Creates a sender that does not send batches by time, unless a test sets `lingerMs`. */
function senderTo({ url }: FakeService, options: Partial<LogSenderOptions> = {}): LogSender {
  return logSender({ url, key: 'phx_key', lingerMs: NEVER, ...options });
}

async function sendAll(sender: LogSender, messages: readonly string[]): Promise<void> {
  for (const message of messages) await sender.send({ plugin_config_id: 1, message });
}

function linesOf({ requests }: FakeService): readonly SentLine[] {
  return requests.flatMap(({ text }) => parse(text));
}

function messagesOf({ text }: SeenRequest): readonly string[] {
  return parse(text).map(({ message }) => message);
}

function parse(text: string): readonly SentLine[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SentLine);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
