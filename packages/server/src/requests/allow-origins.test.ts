import { expect, onTestFinished, test } from 'vitest';
import { methodsByPath } from '../errors/reject-other-methods.ts';
import { openServer } from '../open-server.ts';

const PAGE = 'https://app.example.com';

async function served(corsOrigins: readonly string[] = [PAGE, 'http://localhost:5173']) {
  const app = openServer({ trustProxy: false, bodyLimit: 1024, corsOrigins: new Set(corsOrigins) });
  app.decorateRequest('access', null);
  const methods = methodsByPath(app);
  app.get('/', (_request, reply) => reply.header('etag', '"1"').send('answer'));
  methods.refuseOthers();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    app.inject({ method: method as 'GET', url: url + path, headers });
}

test('a page of an allowed origin may read the answer and its headers', async () => {
  const ask = await served();
  const { statusCode, headers } = await ask('/', { origin: PAGE });
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
])('the origin %j is not allowed, and caches know that answers differ', async (origin) => {
  const ask = await served();
  const { headers } = await ask('/', { origin });
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers.vary).toBe('Origin');
});

test('a rejection can be read by the page', async () => {
  const ask = await served();
  const { statusCode, headers } = await ask('/nowhere', { origin: PAGE });
  expect([statusCode, headers['access-control-allow-origin']]).toEqual([404, PAGE]);
});

test('a preflight of an allowed origin is answered without a key', async () => {
  const ask = await served();
  const { statusCode, headers, body } = await ask(
    '/',
    { origin: PAGE, 'access-control-request-method': 'PATCH' },
    'OPTIONS',
  );
  expect([statusCode, body]).toEqual([204, '']);
  expect(headers['access-control-allow-methods']).toContain('PATCH');
  expect(headers['access-control-allow-headers']).toMatch(/Authorization.*If-Match.*Idempotency-Key/);
  expect(headers['access-control-max-age']).toBe('7200');
});

test('without origins there is no header and no preflight', async () => {
  const ask = await served([]);
  const plain = await ask('/', { origin: PAGE });
  expect([plain.headers.vary, plain.headers['access-control-allow-origin']]).toEqual([undefined, undefined]);
  const preflight = await ask('/', { origin: PAGE, 'access-control-request-method': 'GET' }, 'OPTIONS');
  expect(preflight.statusCode).toBe(405);
});
