import { expect } from 'vitest';
import { openService, test } from '../testing/service.fixture.ts';

test('the document requires no key and can be revalidated', async ({ service }) => {
  const first = await fetch(`${service.url}/api/schema`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await first.json()).toMatchObject({ openapi: '3.1.0' });

  const again = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
  expect((await fetch(`${service.url}/api/schema`, again)).status).toBe(304);
});

/** The headers that differ between requests. */
const VOLATILE_HEADERS = new Set(['connection', 'date', 'keep-alive', 'x-request-id']);

test('GET and HEAD return 304 for a current tag', async ({ service }) => {
  for (const path of ['/docs', '/docs/icon.png', '/api/schema']) {
    const etag = (await fetch(service.url + path)).headers.get('etag') ?? '';
    const responseOf = async (method: string) => {
      const { status, headers } = await fetch(service.url + path, {
        method,
        headers: { 'if-none-match': etag },
      });
      return {
        status,
        headers: Object.fromEntries([...headers].filter(([name]) => !VOLATILE_HEADERS.has(name))),
      };
    };
    const get = await responseOf('GET');
    expect(await responseOf('HEAD')).toEqual(get);
    expect(get).toMatchObject({ status: 304, headers: { etag } });
  }
});

test('the root redirects to the page', async ({ service }) => {
  const { status, headers } = await fetch(service.url, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs']);
  expect((await fetch(service.url)).headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('the page may only load resources from its own origin', async ({ service }) => {
  const page = await fetch(`${service.url}/docs/`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(await page.text()).not.toMatch(/(?:src|href)="(?!\/)/);
});

test('all resources of the page exist and are cacheable', async ({ service }) => {
  const page = await (await fetch(`${service.url}/docs`)).text();
  const addresses = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, address = '']) => address);
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const file = await fetch(service.url + address);
    expect(file.status).toBe(200);
    expect(file.headers.get('cache-control')).toContain('immutable');
    const conditional = { headers: { 'if-none-match': file.headers.get('etag') ?? '' } };
    expect((await fetch(service.url + address, conditional)).status).toBe(304);
  }
});

test('behind a path prefix, the page only uses URLs with that prefix', async () => {
  const service = await openService({ publicUrl: 'https://example.com/plugins' });
  const page = await (await fetch(`${service.url}/docs`)).text();
  const start = await (await fetch(`${service.url}/docs/start.js`)).text();
  const root = await fetch(service.url, { redirect: 'manual' });
  await service.close();
  expect(root.headers.get('location')).toBe('/plugins/docs');
  expect(page).toContain('src="/plugins/docs/start.js');
  expect(start).toContain('"/plugins/api/schema"');
});
