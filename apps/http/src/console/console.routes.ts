import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAMILIES } from '@plugin-config/domain/vocabulary';
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
  readonly embedOrigins: ReadonlySet<string>;
  /** Whether the pages offer transformations. */
  readonly consoleTransformations: boolean;
}

/** Returns how people sign in, for the page: `key`, the host of an identity provider as `oidc:host`, or both. */
function signInMethods({ oidc, keysSignIn }: ConsoleSettings): string {
  const provider = oidc === null ? [] : [`oidc:${new URL(oidc.issuer).host}`];
  return [...(keysSignIn ? ['key'] : []), ...provider].join(' ');
}

/**
 * Serves the console: its assets, and its page at every other path below `/console`. Serves the page for the customers of a product
 * below `/embed` if there are origins that may show it.
 */
export function consoleRoutes(app: FastifyInstance, settings: ConsoleSettings): void {
  const base = publicPath(settings);
  const origins = [...settings.embedOrigins].join(' ');
  const families = FAMILIES.filter(
    (family) => settings.consoleTransformations || family !== 'pipeline_transformation_configs',
  );
  const metas = {
    'sign-in': signInMethods(settings),
    'embed-origins': origins,
    families: families.join(' '),
  };
  const build = lazy(() => readBuild(`${base}/console/`, metas));
  const pageSender = (of: (found: ConsoleBuild) => Buffer | null, headers: Record<string, string>) => {
    return (_request: FastifyRequest, reply: FastifyReply): void => {
      const page = of(build());
      if (page === null) reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
      else reply.headers(headers).type('text/html; charset=utf-8').send(page);
    };
  };
  const sendPage = pageSender(({ page }) => page, CONSOLE_HEADERS);
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
  if (origins === '') return;
  const sendEmbed = pageSender(({ embed }) => embed, headersFor(origins));
  app.route({ method: READ_METHODS, url: '/embed/:project', handler: sendEmbed });
  app.route({ method: READ_METHODS, url: '/embed/:project/*', handler: sendEmbed });
}

/** Allows only files from the same origin, and no code created from strings. */
const headersFor = (frameAncestors: string) => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
});

const CONSOLE_HEADERS = { ...headersFor("'none'"), 'cross-origin-opener-policy': 'same-origin' };

interface ConsoleBuild {
  /** Null if the console is not built. */
  readonly page: Buffer | null;
  /** The page inside the product of somebody else. */
  readonly embed: Buffer | null;
  readonly assets: ReadonlyMap<string, Buffer>;
}

/** Reads all files, and replaces the relative paths in the pages with `path`, and the contents of their meta elements. */
function readBuild(path: string, metas: Readonly<Record<string, string>>): ConsoleBuild {
  const pageCalled = (file: string): Buffer | null => {
    const [page] = globSync(file, { cwd: BUILD_FOLDER });
    if (page === undefined) return null;
    let text = readFileSync(`${BUILD_FOLDER}${page}`, 'utf8').replaceAll('"./', `"${path}`);
    for (const [name, content] of Object.entries(metas))
      text = text.replace(new RegExp(`(?<=<meta name="${name}" content=")[^"]*`), content);
    return Buffer.from(text);
  };
  const names = globSync('*', { cwd: `${BUILD_FOLDER}assets` });
  return {
    page: pageCalled('index.html'),
    embed: pageCalled('embed.html'),
    assets: new Map(names.map((name) => [name, readFileSync(`${BUILD_FOLDER}assets/${name}`)])),
  };
}
