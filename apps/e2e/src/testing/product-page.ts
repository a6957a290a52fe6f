import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { rolldown } from 'rolldown';

/** The page of a product that shows plugins, at an origin of its own. */
export interface ProductPage extends AsyncDisposable {
  readonly origin: string;
}

interface Mount {
  readonly url: string;
  readonly project: number | string;
  /** What `token` resolves to, in turn; null makes it reject. The last one is repeated. */
  readonly tokens: readonly (string | null)[];
  readonly theme?: object;
  readonly lang?: string;
}

const SCRIPT = `
  import { mountPlugins } from '/bundle.js';
  globalThis.asked = 0;
  globalThis.mount = ({ tokens, ...options }) => {
    globalThis.tokens = tokens;
    const token = async () => {
      const next = globalThis.tokens[Math.min(asked++, globalThis.tokens.length - 1)];
      if (next === null) throw new Error('Signed out.');
      return next;
    };
    globalThis.mounted = mountPlugins(document.querySelector('#plugins'), { ...options, token });
  };
  addEventListener('error', (event) => event.preventDefault());
`;
const PAGE = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
<body style="margin: 0"><main><h1>Settings</h1><div id="plugins"></div></main><script type="module">${SCRIPT}</script>`;

export const serveProduct = (): Promise<ProductPage> =>
  servePage(import.meta.resolve('@plugin-config/client/embed'), PAGE);

/** Serves a page and the bundle of a module. Its host differs from that of the service, as for a product on another site. */
export async function servePage(module: string, page: string): Promise<ProductPage> {
  const bundle = await rolldown({ input: fileURLToPath(module) });
  const { output } = await bundle.generate();
  const server = createServer(({ url }, response) => {
    const isCode = url === '/bundle.js';
    response.setHeader('content-type', isCode ? 'text/javascript' : 'text/html');
    response.end(isCode ? output[0].code : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Shows the plugins of a project in the open page. Returns what is inside the frame. */
export async function mountIn(page: Page, mount: Mount): Promise<FrameLocator> {
  await page.waitForFunction('globalThis.mount');
  await page.evaluate(`mount(${JSON.stringify(mount)})`);
  return page.frameLocator('iframe[title=Plugins]');
}
