import type { Endpoint } from '@plugin-config/contract';
import type { Family } from '@plugin-config/domain';
import { accessOf, type Guard } from '@plugin-config/server';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import { noteBody } from '../requests/idempotency-key.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { callOf } from './call-of.ts';
import { orDryRun, type RouteHandler } from './dry-run.ts';
import { familiesOf } from './families-of.ts';
import type {
  EndpointGroup,
  Handle,
  Handlers,
  MemoryHandler,
  LimitedHandler,
  RecallingHandler,
  StreamHandler,
} from './handler.ts';

type AnyHandler =
  | Handle<Endpoint>
  | MemoryHandler<Endpoint>
  | RecallingHandler<Endpoint>
  | LimitedHandler<Endpoint>
  | StreamHandler<Endpoint>;

/** Both are made by the same function: the `dry` ones of ports that store nothing. */
interface BothHandlers<H> {
  readonly real: H;
  readonly dry: H;
}

/** Adds a route for each endpoint; if its path has a family, one for each family. Every write has a dry run. */
export function mountEndpoints<Group extends EndpointGroup>(
  app: FastifyInstance,
  guard: Guard,
  endpoints: Group,
  { real, dry }: BothHandlers<Handlers<Group>>,
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // `Handlers<Group>` has the same keys as `Group`, but `Object.entries` loses that.
    const handlers = { real: real[name] as AnyHandler, dry: dry[name] as AnyHandler };
    for (const family of familiesOf(endpoint)) mount(app, guard, endpoint, handlers, family);
  }
}

function mount(
  app: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint,
  handlers: BothHandlers<AnyHandler>,
  family: Family | null,
): void {
  const { method, scope, unbound, needs, body, idempotent } = endpoint;
  const real = routeHandler(endpoint, handlers.real, family);
  const handler =
    method === 'GET' ? real : orDryRun(endpoint, real, routeHandler(endpoint, handlers.dry, family));
  app.route({
    method: methodsOf(endpoint),
    url: endpoint.path.replace(':family', family ?? ''),
    ...(needs !== 'page' && {
      onRequest: guard({
        ...(scope !== null && { scope }),
        ...(unbound === true && { unbound }),
        ...(family !== null && { family }),
        record: needs === 'record',
        mayRecall: 'mayRecall' in handlers.real,
      }),
    }),
    ...(body?.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
    config: {
      keysOnce: body?.keysOnce === true,
      ...(idempotent === true && { noteBody }),
    },
    handler,
  });
}

function routeHandler(endpoint: Endpoint, handler: AnyHandler, family: Family | null): RouteHandler {
  if (typeof handler === 'function') return handling(endpoint, handler, family);
  if ('open' in handler) return streaming(endpoint, handler, family);
  if ('mayRecall' in handler) return handling(endpoint, handler.handle, family);
  return 'fromMemory' in handler
    ? fromMemoryFirst(endpoint, handler, family)
    : limited(endpoint, handler, family);
}

function methodsOf({ method, condition }: Endpoint): HTTPMethods | HTTPMethods[] {
  return condition === 'If-None-Match' ? READ_METHODS : method;
}

function handling(endpoint: Endpoint, handle: Handle<Endpoint>, family: Family | null): RouteHandler {
  return (request, reply) => handle(callOf(endpoint, request, reply, family));
}

function fromMemoryFirst(
  endpoint: Endpoint,
  { fromMemory, handle }: MemoryHandler<Endpoint>,
  family: Family | null,
): RouteHandler {
  if (family === null)
    throw new Error(`${endpoint.operationId}: only endpoints of a family can answer from the cache.`);
  const read = handling(endpoint, handle, family);
  return (request, reply) => {
    const { projectId } = accessOf(request);
    const answered = fromMemory(request, reply, { projectId, family });
    if (answered === false) return read(request, reply);
    return answered === true ? undefined : answered;
  };
}

function limited(
  endpoint: Endpoint,
  { limit, handle }: LimitedHandler<Endpoint>,
  family: Family | null,
): RouteHandler {
  return (request, reply) => limit(request, async () => handle(callOf(endpoint, request, reply, family)));
}

function streaming(
  endpoint: Endpoint,
  { open }: StreamHandler<Endpoint>,
  family: Family | null,
): RouteHandler {
  return async (request, reply) => {
    const call = callOf(endpoint, request, reply, family);
    const prepare = async () => open(call, lastEventIdOf(request, call));
    await request.server.streams.serve(request, reply, prepare);
  };
}

/** The cursor that a stream goes on after: the header, which clients send when they reconnect, else the parameter. */
function lastEventIdOf({ raw }: FastifyRequest, call: object): string | null {
  const header = raw.headers['last-event-id'];
  if (header !== undefined && header !== '') return String(header);
  return 'query' in call
    ? ((call.query as { readonly last_event_id?: string | null }).last_event_id ?? null)
    : null;
}
