import { expect, test } from 'vitest';
import { trackMethods } from '../errors/reject-other-methods.ts';
import { testServer } from '../testing/test-server.ts';

const PAGE = 'https://app.example.com';

async function served(corsOrigins: readonly string[] = [PAGE, 'http://localhost:5173']) {
  const app = testServer({ corsOrigins: new Set(corsOrigins) });
  const rejectOthers = trackMethods(app);
  app.get('/', (_request, reply) => reply.header('etag', '"1"').send('hello'));
  rejectOthers();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    app.inject({ method: method as 'GET', url: url + path, headers });
}

test('a page of an allowed origin may read the response and its headers', async () => {
  const send = await served();
  const { statusCode, headers } = await send('/', { origin: PAGE });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
  expect(headers['access-control-expose-headers']).toMatch(/ETag, Location, Retry-After.*X-Request-Id/);
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

test.for([
  'https://app.example.com.evil.test',
  'https://app.example.com:444',
  'http://app.example.com',
  'https://APP.example.com',
  'null',
  '*',
  '',
])('the origin %j is not allowed, and the response varies by origin', async (origin) => {
  const send = await served();
  const { headers } = await send('/', { origin });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers.vary).toBe('Origin');
});

test('a page of an allowed origin may read error responses', async () => {
  const send = await served();
  const { statusCode, headers } = await send('/nowhere', { origin: PAGE });
  expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, PAGE]);
});

test('a preflight from an allowed origin needs no key', async () => {
  const send = await served();
  const { statusCode, headers, body } = await send(
    '/',
    { origin: PAGE, 'access-control-request-method': 'PATCH' },
    'OPTIONS',
  );
  expect([statusCode, body]).toEqual([204, '']);
  expect(headers['access-control-allow-methods']).toContain('PATCH');
  expect(headers['access-control-allow-headers']).toMatch(/Authorization.*If-Match.*Idempotency-Key/);
  expect(headers['access-control-max-age']).toBe('7200');
});

test('without allowed origins, there are no headers and no preflights', async () => {
  const send = await served([]);
  const plain = await send('/', { origin: PAGE });
  expect([plain.headers.vary, plain.headers['access-control-allow-origin']]).toEqual([undefined, undefined]);
  const preflight = await send('/', { origin: PAGE, 'access-control-request-method': 'GET' }, 'OPTIONS');
  expect(preflight.statusCode).toBe(405);
});
