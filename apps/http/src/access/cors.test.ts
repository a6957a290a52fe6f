import { expect, onTestFinished } from 'vitest';
import { openService, test } from '../testing/service.fixture.ts';

const PAGE = 'https://app.example.com';

test('a page of an allowed origin sends a preflight without a key, then the request with it', async () => {
  const service = await openService({ corsOrigins: new Set([PAGE]) });
  onTestFinished(() => service.close());
  const { token } = await service.issueKey();
  const url = `${service.url}/api/projects`;
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin: PAGE, 'access-control-request-method': 'GET' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, PAGE]);
  const rejected = await fetch(url, { headers: { origin: PAGE } });
  expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  const response = await fetch(url, { headers: { origin: PAGE, authorization: `Bearer ${token}` } });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
});
