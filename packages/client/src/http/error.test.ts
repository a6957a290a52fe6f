import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { pluginConfigClient } from '../client.ts';
import { logSender } from '../sender/log-sender.ts';
import { errorResponse, fakeService } from '../testing/fake-service.ts';
import { PluginConfigError } from './error.ts';

const ONCE = { attempts: 1 };
const KEY = 'phx_secret';

test('an error from the service has its code, status, field and request id', async () => {
  await using service = await fakeService(() =>
    errorResponse(400, 'required', { attr: 'plugin', headers: { 'x-request-id': 'req-1' } }),
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

test.for(['localhost:8000', '', '/api'])('%j is not a valid URL', (url) => {
  const message = `The url must begin with http:// or https://: ${JSON.stringify(url)}`;
  expect(() => pluginConfigClient({ url, key: KEY })).toThrow(message);
  expect(() => logSender({ url, key: KEY })).toThrow(message);
});

test.for(['phx_secret…', 'phx_secret\nphx_other'])(
  '%j is not a valid key, and is not shown in the error',
  (key) => {
    const url = 'http://127.0.0.1';
    for (const create of [() => pluginConfigClient({ url, key }), () => logSender({ url, key })]) {
      expect(create).toThrow(/^The key contains an invalid character/);
      expect(create).not.toThrow('secret');
    }
  },
);

test('a line break after the key is ignored', async () => {
  await using service = await fakeService(() => ({ body: {} }));
  await pluginConfigClient({ url: service.url, key: `${KEY}\n` })
    .project(1)
    .retrieve();
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('a redirect is not followed, because the key or the method would be lost', async () => {
  await using service = await fakeService(() => ({ status: 302, headers: { location: '/elsewhere' } }));
  const { pluginConfigs } = pluginConfigClient({ url: service.url, key: KEY }).project(1);
  expect(await failureOf(pluginConfigs.create({ plugin: 7 }))).toMatchObject({
    code: 'unreadable',
    status: 302,
    detail: 'The URL redirects elsewhere. Use the URL of the service itself.',
  });
  expect(service.requests).toHaveLength(1);
});

test('an unreachable service is an error with a cause', async () => {
  const api = pluginConfigClient({ url: await closedAddress(), key: KEY, retry: ONCE });
  const error = await failureOf(api.project(1).retrieve());
  expect(error).toMatchObject({ code: 'unreachable', status: null, type: null, attr: null, requestId: null });
  expect(error.cause).toBeInstanceOf(Error);
});

test('a call times out if the service does not respond in time', async () => {
  await using service = await fakeService(() => new Promise(() => {}));
  const api = pluginConfigClient({ url: service.url, key: KEY, retry: ONCE, timeoutMs: 20 });
  const error = await failureOf(api.project(1).retrieve());
  expect(error).toMatchObject({
    code: 'timed_out',
    status: null,
    detail: 'There was no response within 20 ms.',
  });
});

test.for([
  [502, '<html>Bad gateway</html>'],
  [500, 'null'],
  [200, '<html>Welcome</html>'],
] as const)('status %i with %s is not a response from the service', async ([status, body]) => {
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
  const controller = new AbortController();
  const call = project.pluginConfigs.create({ plugin: 7 }, { signal: controller.signal });
  while (service.requests.length === 0) await new Promise(setImmediate);
  controller.abort(reason);
  await expect(call).rejects.toBe(reason);
});

test('errors do not show the key or the query', async () => {
  await using service = await fakeService(() => errorResponse(401, 'authentication_failed'));
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
