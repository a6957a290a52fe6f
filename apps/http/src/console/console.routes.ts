import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptedEncoding, endpointNotFound } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../openapi/lazy.ts';
import { publicPath } from '../requests/base-url.ts';
import { READ_METHODS } from '../requests/read-methods.ts';

const BUILD_FOLDER = fileURLToPath(
  new URL('.', import.meta.resolve('@plugin-config/console/dist/index.html')),
);
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const NOT_BUILT = 'The console is not built. To build it, run: sh tools/install.sh\n';

interface ConsoleSettings {
  readonly publicUrl: string | null;
  readonly oidc: { readonly issuer: string } | null;
  readonly keysSignIn: boolean;
}

/** Tells the page how people sign in: with `key`, or at the host of an identity provider. */
function signInMethods({ oidc, keysSignIn }: ConsoleSettings): string {
  const provider = oidc === null ? [] : [`oidc:${new URL(oidc.issuer).host}`];
  return [...(keysSignIn ? ['key'] : []), ...provider].join(' ');
}

/** Serves the console: its assets, and its page at every other path below `/console`. */
export function consoleRoutes(app: FastifyInstance, settings: ConsoleSettings): void {
  const base = publicPath(settings);
  const build = lazy(() => readBuild(`${base}/console/`, signInMethods(settings)));
  const sendPage = (_request: FastifyRequest, reply: FastifyReply): void => {
    const { page } = build();
    if (page === null) reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    else reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
  };
  const sendAsset = (request: FastifyRequest, reply: FastifyReply): void => {
    const { assets } = build();
    const { name } = request.params as { readonly name: string };
    const encoding = acceptedEncoding(request.raw.headers['accept-encoding']);
    const encoded = encoding === null ? undefined : assets.get(`${name}.${encoding}`);
    const bytes = encoded ?? assets.get(name);
    const type = TYPES[extname(name)];
    if (bytes === undefined || type === undefined) throw endpointNotFound();
    if (encoded !== undefined) reply.header('content-encoding', encoding);
    reply.header('cache-control', CACHE_FOREVER).header('vary', 'accept-encoding').type(type).send(bytes);
  };
  app.route({ method: READ_METHODS, url: '/console', handler: sendPage });
  app.route({ method: READ_METHODS, url: '/console/*', handler: sendPage });
  app.route({ method: READ_METHODS, url: '/console/assets/:name', handler: sendAsset });
}

/** Allows only files from the same origin, and no code created from strings. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
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

interface ConsoleBuild {
  /** Null if the console is not built. */
  readonly page: Buffer | null;
  readonly assets: ReadonlyMap<string, Buffer>;
}

const SIGN_IN = '<meta name="sign-in" content="';

/** Reads all files, and replaces the relative paths in the page with `path`, and how people sign in. */
function readBuild(path: string, methods: string): ConsoleBuild {
  const [page] = globSync('index.html', { cwd: BUILD_FOLDER });
  if (page === undefined) return { page: null, assets: new Map() };
  const text = readFileSync(`${BUILD_FOLDER}${page}`, 'utf8')
    .replaceAll('"./', `"${path}`)
    .replace(`${SIGN_IN}key"`, `${SIGN_IN}${methods}"`);
  const names = globSync('*', { cwd: `${BUILD_FOLDER}assets` });
  return {
    page: Buffer.from(text),
    assets: new Map(names.map((name) => [name, readFileSync(`${BUILD_FOLDER}assets/${name}`)])),
  };
}
