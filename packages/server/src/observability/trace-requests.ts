import { isTracing, remoteParent, startSpan, withSpan } from '@plugin-config/tracing';
import type { FastifyInstance } from 'fastify';
import { OPERATOR_PATHS } from '../health/health.routes.ts';

/**
 * Runs each request in a span, which is a child of the caller's span if it sends a `traceparent`, and sends the trace id in a
 * header. Does nothing if tracing is off.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? '';
    if (OPERATOR_PATHS.has(route)) return done();
    const attributes = { 'http.request.method': method, 'http.route': route };
    const caller = remoteParent(request.raw.headers, ({ traceparent }) =>
      typeof traceparent === 'string' ? traceparent : undefined,
    );
    request.span = startSpan({ name: `${method} ${route}`, kind: 'server', attributes }, caller);
    if (request.span !== null) reply.header('x-trace-id', request.span.spanContext().traceId);
    withSpan(request.span, done);
  });
  // Code that runs once the body has arrived is outside the async context of the hook above.
  app.addHook('preValidation', ({ span }, _reply, done) => withSpan(span, done));
}
