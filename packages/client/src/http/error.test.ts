import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { pluginConfigClient } from '../client.ts';
import { logSender } from '../sender/log-sender.ts';
import { errorAnswer, fakeService } from '../testing/fake-service.ts';
import { PluginConfigError } from './error.ts';

const ONCE = { attempts: 1 };
const KEY = 'phx_secret';

test('an error of the service has its code, status, field and request id', async () => {
  await using service = await fakeService(() =>
    errorAnswer(400, 'required', { attr: 'plugin', headers: { 'x-request-id': 'req-1' } }),
  );
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: KEY }).project(1);
  const error = await failureOf(pluginConfigs.create({ plugin: 7 }));
  expect(error).toMatchObject({
    name: 'PluginConfigError',
    message: 'POST /api/projects/1/plugin_configs: It is required. (400 required)',
    code: 'required',
    detail: 'It is required.',
    type: 'validation_error',
    status: 400,
    attr: 'plugin',
    requestId: 'req-1',
    retryAfterSeconds: null,
  });
});

test('a throttled call says when to come back', async () => {
  await using service = await fakeService(() =>
    errorAnswer(429, 'throttled', { headers: { 'retry-after': '12' } }),
  );
  const api = pluginConfigClient({ url: service.url, key: KEY, retry: ONCE });
  const error = await failureOf(api.project(1).retrieve());
  expect(error).toMatchObject({ code: 'throttled', status: 429, retryAfterSeconds: 12 });
});

test.for(['localhost:8000', '', '/api'])('%j is no address', (url) => {
  const message = `The url must begin with http:// or https://. It is ${JSON.stringify(url)}.`;
  expect(() => pluginConfigClient({ url, key: KEY })).toThrow(message);
  expect(() => logSender({ url, key: KEY })).toThrow(message);
});

test.for(['phx_secret…', 'phx_secret\nphx_other'])('%j is no key, and is not shown', (key) => {
  const url = 'http://127.0.0.1';
  for (const make of [() => pluginConfigClient({ url, key }), () => logSender({ url, key })]) {
    expect(make).toThrow(/^The key has a character that no key has/);
    expect(make).not.toThrow('secret');
  }
});

test('a key may come from a file, with its line break', async () => {
  await using service = await fakeService(() => ({ body: {} }));
  await pluginConfigClient({ url: service.url, key: `${KEY}\n` })
    .project(1)
    .retrieve();
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('a redirect is not followed: the key or the method would be lost on the way', async () => {
  await using service = await fakeService(() => ({ status: 302, headers: { location: '/elsewhere' } }));
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: KEY }).project(1);
  expect(await failureOf(pluginConfigs.create({ plugin: 7 }))).toMatchObject({
    code: 'unreadable',
    status: 302,
    detail: 'The address redirects elsewhere. Use the address of the service itself.',
  });
  expect(service.requests).toHaveLength(1);
});

test('a service that is not there is unreachable, with the cause', async () => {
  const api = pluginConfigClient({ url: await closedAddress(), key: KEY, retry: ONCE });
  const error = await failureOf(api.project(1).retrieve());
  expect(error).toMatchObject({ code: 'unreachable', status: null, type: null, attr: null, requestId: null });
  expect(error.cause).toBeInstanceOf(Error);
});

test('a service that does not answer in time is timed out', async () => {
  await using service = await fakeService(() => new Promise(() => {}));
  const api = pluginConfigClient({ url: service.url, key: KEY, retry: ONCE, timeoutMs: 20 });
  const error = await failureOf(api.project(1).retrieve());
  expect(error).toMatchObject({ code: 'timed_out', status: null, detail: 'No answer came within 20 ms.' });
});

test.for([
  [502, '<html>Bad gateway</html>'],
  [500, 'null'],
  [200, '<html>Welcome</html>'],
] as const)('status %i with %s is no answer of the service', async ([status, body]) => {
  await using service = await fakeService(() => ({ status, body }));
  const api = pluginConfigClient({ url: service.url, key: KEY, retry: ONCE });
  expect(await failureOf(api.project(1).retrieve())).toMatchObject({ code: 'unreadable', status });
});

test('an abort throws the reason of the signal, before and during the call', async () => {
  await using service = await fakeService(() => new Promise(() => {}));
  const project = pluginConfigClient({ url: service.url, key: KEY }).project(1);
  const reason = new Error('The page was left.');
  await expect(project.retrieve({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(service.requests).toHaveLength(0);
  const leaving = new AbortController();
  const call = project.pluginConfigs.create({ plugin: 7 }, { signal: leaving.signal });
  while (service.requests.length === 0) await new Promise(setImmediate);
  leaving.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test('no error shows the key or the query', async () => {
  await using service = await fakeService(() => errorAnswer(401, 'authentication_failed'));
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: KEY }).project(1);
  const error = await failureOf(pluginConfigs.list({ search: 'private' }).page());
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/secret|private/);
});

async function failureOf(call: Promise<unknown>): Promise<PluginConfigError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PluginConfigError))
    throw new Error('A PluginConfigError was expected.', { cause: error });
  return error;
}

async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
