import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { chromiumOptions } from '../../../tools/chromium.ts';
import { EVERY_KIND_OF_CALL, EXPECTED_OUTCOME, responseToCall } from './testing/every-kind-of-call.ts';
import { fakeService, type FakeResponse, type SeenRequest } from './testing/fake-service.ts';

test('the client lists, fails, streams and logs in a browser', async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'index.ts') });
  const { output } = await bundle.generate();
  await using service = await fakeService((request) => responseTo(request, output[0].code));
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(service.url);
    const outcome = await page.waitForFunction(() => (globalThis as { readonly outcome?: object }).outcome);
    expect(await outcome.jsonValue()).toEqual(EXPECTED_OUTCOME);
    expect(service.requests.find(isPush)?.headers['content-encoding']).toBe('gzip');
  } finally {
    await browser.close();
  }
});

const PAGE = `
<script type="importmap">{ "imports": { "@plugin-config/client": "/client.js" } }</script>
<script>const url = location.origin;</script>
<script type="module">${EVERY_KIND_OF_CALL}</script>`;

function responseTo(request: SeenRequest, client: string): FakeResponse {
  if (request.path === '/') return { headers: { 'content-type': 'text/html' }, body: PAGE };
  if (request.path === '/client.js') return { headers: { 'content-type': 'text/javascript' }, body: client };
  return responseToCall(request);
}

function isPush({ path }: SeenRequest): boolean {
  return path === '/ingest';
}
