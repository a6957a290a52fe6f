import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { chromiumOptions } from '../../../tools/chromium.ts';
import { errorResponse, fakeService, type FakeResponse, type SeenRequest } from './testing/fake-service.ts';

const PAGE = `<script type="module">
  import { logSender, pluginConfigClient } from '/client.js';
  const url = location.origin;
  const configs = pluginConfigClient({ url, key: 'phx_key' }).project(1).pluginConfigs;
  const names = (await Array.fromAsync(configs.list())).map(({ name }) => name);
  const { code, status } = await configs.retrieve(5).catch((error) => error);
  const followed = [];
  for await (const { id } of configs.stream()) if (followed.push(id) === 2) break;
  const sender = logSender({ url, key: 'phx_key' });
  await sender.logger(5).info('long'.repeat(1_000));
  globalThis.outcome = { names, code, status, followed, report: await sender.close() };
</script>`;

test('the client lists, fails, streams and logs in a browser', async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'index.ts') });
  const { output } = await bundle.generate();
  await using service = await fakeService((request) => responseTo(request, output[0].code));
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(service.url);
    const outcome = await page.waitForFunction(() => (globalThis as { readonly outcome?: object }).outcome);
    expect(await outcome.jsonValue()).toEqual({
      names: ['GeoIP'],
      code: 'not_found',
      status: 404,
      followed: ['1', '2'],
      report: { stored: 1, duplicates: 0, dead: 0 },
    });
    expect(service.requests.find(isPush)?.headers['content-encoding']).toBe('gzip');
  } finally {
    await browser.close();
  }
});

function responseTo({ path, headers }: SeenRequest, client: string): FakeResponse {
  if (path === '/') return { headers: { 'content-type': 'text/html' }, body: PAGE };
  if (path === '/client.js') return { headers: { 'content-type': 'text/javascript' }, body: client };
  if (path === '/ingest') return { body: { stored: 1, duplicates: 0, dead: 0 } };
  if (path.endsWith('/stream')) {
    const id = headers['last-event-id'] === '1' ? 2 : 1;
    const event = `id: ${id}\nevent: order\ndata: {}\n\n`;
    return { headers: { 'content-type': 'text/event-stream' }, stream: (response) => response.end(event) };
  }
  if (!path.endsWith('/plugin_configs')) return errorResponse(404, 'not_found');
  return { body: { count: 1, next: null, previous: null, results: [{ id: 5, name: 'GeoIP' }] } };
}

function isPush({ path }: SeenRequest): boolean {
  return path === '/ingest';
}
