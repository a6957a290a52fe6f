import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { methodNotAllowed } from './http-problem.ts';

/**
 * Tracks the methods of the routes that are added from now on. Returns a function that adds routes for Fastify's other methods, which
 * respond with 405.
 */
export function trackMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }: RouteOptions) => {
    const methods = known.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    known.set(url, methods);
  });
  return () => [...known].forEach(([url, methods]) => rejectOthersOf(app, url, methods));
}

function rejectOthersOf(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const others = app.supportedMethods.filter((method) => !methods.has(method)) as HTTPMethods[];
  const allow = [...methods].toSorted().join(', ');
  app.route({
    url,
    method: others,
    onRequest: (request, _reply, done) => done(methodNotAllowed(request.method, allow)),
    handler: () => undefined,
  });
}
