import type { QueuedPermits } from '@plugin-config/flow';
import type { Span } from '@plugin-config/tracing';
import type { FastifyInstance } from 'fastify';
import type { Access } from './access/access.ts';
import type { Gate } from './gate/gate.ts';
import type { StreamSummary } from './observability/observe-requests.ts';
import type { UnsentResponses } from './responses/unsent-responses.ts';

/** Everything that hooks and handlers store on a request or on the app, for others to read. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the guard of the route has admitted the request. */
    access: Access | null;
    /** The permits that the request has taken one of; null if it holds none. */
    permits: QueuedPermits | null;
    /** How long the service waited for the body, in milliseconds. */
    bodyAwaitedMs: number;
    /** The error behind a 5xx response, for the log. */
    failure: unknown;
    /** Null unless the response is a stream. */
    stream: StreamSummary | null;
    /** Null if tracing is off, and for requests that are not traced. */
    span: Span | null;
  }

  interface FastifyInstance {
    readonly gate: Gate;
    readonly unsent: UnsentResponses;
  }
}

/** Gives each request its initial state. */
export function decorateRequests(app: FastifyInstance): void {
  app.decorateRequest('access', null).decorateRequest('permits', null);
  app.decorateRequest('bodyAwaitedMs', 0);
  app.decorateRequest('failure', null).decorateRequest('stream', null).decorateRequest('span', null);
}
