import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptedEncoding, endpointNotFound } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { madeOnce } from '../openapi/made-once.ts';
import { publicPath } from '../requests/base-url.ts';
import { READ_METHODS } from '../requests/read-methods.ts';

/** What the build of the console has written. */
const BUILT = fileURLToPath(new URL('.', import.meta.resolve('@plugin-config/console/dist/index.html')));
const LASTING = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const NOT_BUILT = 'The console is not built. The operator builds it with: sh tools/install.sh\n';

/** Serves the console: its assets, and the page at each other address below `/console`, where it shows the screen. */
export function consoleRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const base = publicPath(settings);
  const built = madeOnce(() => readBuilt(`${base}/console/`));
  const sendPage = (_request: FastifyRequest, reply: FastifyReply): void => {
    const { page } = built();
    if (page === null) reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    else reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
  };
  const sendAsset = (request: FastifyRequest, reply: FastifyReply): void => {
    const { assets } = built();
    const { name } = request.params as { readonly name: string };
    const encoding = acceptedEncoding(request.raw.headers['accept-encoding']);
    const encoded = encoding === null ? undefined : assets.get(`${name}.${encoding}`);
    const bytes = encoded ?? assets.get(name);
    const type = TYPES[extname(name)];
    if (bytes === undefined || type === undefined) throw endpointNotFound();
    if (encoded !== undefined) reply.header('content-encoding', encoding);
    reply.header('cache-control', LASTING).header('vary', 'accept-encoding').type(type).send(bytes);
  };
  app.route({ method: READ_METHODS, url: '/console', handler: sendPage });
  app.route({ method: READ_METHODS, url: '/console/*', handler: sendPage });
  app.route({ method: READ_METHODS, url: '/console/assets/:name', handler: sendAsset });
}

/** Allows files of the service alone, and no text that becomes code. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': CONSOLE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

interface Built {
  /** Null if the console is not built. */
  readonly page: Buffer | null;
  readonly assets: ReadonlyMap<string, Buffer>;
}

/** Reads all files. The page gets the path below which the service stands. */
function readBuilt(path: string): Built {
  const [page] = globSync('index.html', { cwd: BUILT });
  if (page === undefined) return { page: null, assets: new Map() };
  const text = readFileSync(`${BUILT}${page}`, 'utf8').replaceAll('"./', `"${path}`);
  const names = globSync('*', { cwd: `${BUILT}assets` });
  return {
    page: Buffer.from(text),
    assets: new Map(names.map((name) => [name, readFileSync(`${BUILT}assets/${name}`)])),
  };
}
