import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumOptions } from '../../../../tools/chromium.ts';
import { test, type Service } from '../testing/service.fixture.ts';

/** Serves a page from another origin on the same host, to which browsers send the same cookies as to the service. */
async function foreignPage(): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Hello</p>'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send = (page: Page, method: string, url: string, key?: string) =>
  page.evaluate(
    async ([how, where, token]) => {
      const body = token === undefined ? null : JSON.stringify({ key: token });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(where ?? '', { method: how ?? '', body, ...(body !== null && { headers }) }))
        .status;
    },
    [method, url, key],
  );

const statusesOf = ({ log }: Service, path: string): readonly number[] =>
  log
    .map((line) => JSON.parse(line) as { readonly path?: string; readonly status?: number })
    .filter((line) => line.path === path)
    .map(({ status }) => status ?? 0);

test('a browser protects the session from scripts, other origins and forms', async ({ service }) => {
  const { token } = await service.issueKey();
  const foreign = await foreignPage();
  const browser = await chromium.launch(chromiumOptions());
  onTestFinished(() => browser.close());
  for (const host of ['127.0.0.1', 'localhost']) {
    const url = service.url.replace('127.0.0.1', host);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/livez`);
    expect(await send(page, 'GET', '/api/session')).toBe(401);
    expect(await send(page, 'POST', '/api/session', token)).toBe(204);
    expect(await send(page, 'GET', '/api/session')).toBe(200);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await context.cookies()).toMatchObject([
      { name: '__Host-plugin_config_session', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' },
    ]);
    await page.reload();
    expect(await send(page, 'GET', '/api/session')).toBe(200);
    expect((await page.goto(`${url}/api/session`))?.status()).toBe(200);
    const other = await context.newPage();
    await other.goto(foreign.replace('127.0.0.1', host));
    service.log.length = 0;
    await other.evaluate(async (where) => {
      await fetch(where, { mode: 'no-cors', credentials: 'include' });
      await fetch(where, { mode: 'no-cors', credentials: 'include', method: 'POST', body: '{}' });
    }, `${url}/api/session`);
    await other.setContent(
      `<form action="${url}/api/session" method="post" enctype="text/plain"><input name="key" value="x"><button>`,
    );
    await other.getByRole('button').click();
    await expect.poll(() => statusesOf(service, '/api/session')).toEqual([401, 415, 415]);
    await page.goto(`${url}/livez`);
    expect(await send(page, 'GET', '/api/session')).toBe(200);
    expect(await send(page, 'DELETE', '/api/session')).toBe(204);
    expect(await context.cookies()).toEqual([]);
    expect(await send(page, 'GET', '/api/session')).toBe(401);
    await context.close();
  }
});
