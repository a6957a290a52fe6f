import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../responses/entity-tag.ts';
import { publicPath } from '../requests/base-url.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { DOCS_POLICY, docsPage, docsStart } from './docs-page.ts';
import { lazy } from './lazy.ts';

interface DocsFile {
  readonly type: string;
  readonly body: Buffer;
  readonly hash: string;
}

const STYLE = import.meta.resolve('swagger-ui-dist/swagger-ui.css');
const BUNDLE = import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js');
const ICON = import.meta.resolve('swagger-ui-dist/favicon-32x32.png');
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** Serves Swagger UI at `/docs`; `/` redirects there. */
export function docsRoutes(app: FastifyInstance, settings: { readonly publicUrl: string | null }): void {
  const base = publicPath(settings);
  const schema = `${base}/api/schema`;
  const serveRead = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => void) =>
    app.route({ method: READ_METHODS, url, handler });
  const serve = (name: string, make: () => DocsFile): (() => string) => {
    const file = lazy(make);
    serveRead(`/docs/${name}`, (request, reply) =>
      sendFile(request, reply.header('cache-control', CACHE_FOREVER), file()),
    );
    return () => `${base}/docs/${name}?${file().hash}`;
  };
  const style = serve('swagger-ui.css', () => packagedFile(STYLE, 'text/css; charset=utf-8'));
  const bundle = serve('swagger-ui.js', () => packagedFile(BUNDLE, 'text/javascript; charset=utf-8'));
  const icon = serve('icon.png', () => packagedFile(ICON, 'image/png'));
  const start = serve('start.js', () => textFile(docsStart(schema), 'text/javascript'));
  const page = lazy(() =>
    textFile(
      docsPage({ schema, style: style(), bundle: bundle(), icon: icon(), start: start() }),
      'text/html',
    ),
  );
  app.get('/', (_request, reply) => reply.redirect(`${base}/docs`));
  serveRead('/docs', (request, reply) => {
    reply.header('content-security-policy', DOCS_POLICY).header('referrer-policy', 'no-referrer');
    sendFile(request, reply.header('cache-control', 'no-cache'), page());
  });
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, body, hash: tag }: DocsFile): void {
  const etag = `"${tag}"`;
  const ifNoneMatch = request.headers['if-none-match'];
  reply.header('etag', etag);
  if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag)) reply.code(304).send();
  else reply.header('content-type', type).send(body);
}

function packagedFile(url: string, type: string): DocsFile {
  return docsFile(readFileSync(new URL(url)), type);
}

function textFile(text: string, type: string): DocsFile {
  return docsFile(Buffer.from(text), `${type}; charset=utf-8`);
}

function docsFile(body: Buffer, type: string): DocsFile {
  return { type, body, hash: hash('sha1', body, 'base64url') };
}
