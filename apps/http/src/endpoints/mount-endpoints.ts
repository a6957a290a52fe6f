import type { Endpoint } from '@plugin-config/contract';
import type { ConfigRecord, Family, FamilyRef } from '@plugin-config/domain';
import { accessOf, type Guard } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { familyTagName, preconditionOf, recordTagName } from '../answers/entity-tag.ts';
import { bodyOrEmpty, checkInput } from '../requests/check-input.ts';
import { idempotencyKeyOf } from '../requests/idempotency-key.ts';
import { lastEventIdOf } from '../requests/last-event-id.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { familiesOf } from './families-of.ts';
import type {
  EndpointCall,
  EndpointGroup,
  Handle,
  Handlers,
  MemoryHandler,
  LimitedHandler,
  StreamHandler,
} from './handler.ts';

type AnyHandler =
  | Handle<Endpoint>
  | MemoryHandler<Endpoint>
  | LimitedHandler<Endpoint>
  | StreamHandler<Endpoint>;

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Adds a route for each endpoint; if its path has a family, one for each family. */
export function mountEndpoints<Group extends EndpointGroup>(
  app: FastifyInstance,
  guard: Guard,
  endpoints: Group,
  handlers: Handlers<Group>,
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // `Handlers<Group>` has the same keys as `Group`, but `Object.entries` loses that.
    const handler = handlers[name] as AnyHandler;
    for (const family of familiesOf(endpoint)) mount(app, guard, endpoint, handler, family);
  }
}

function mount(
  app: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint,
  handler: AnyHandler,
  family: Family | null,
): void {
  const { scope, needs } = endpoint;
  app.route({
    method: methodsOf(endpoint),
    url: endpoint.path.replace(':family', family ?? ''),
    onRequest: guard({
      ...(scope !== null && { scope }),
      ...(family !== null && { family }),
      record: needs === 'record',
    }),
    handler: routeHandler(endpoint, handler, family),
  });
}

function routeHandler(endpoint: Endpoint, handler: AnyHandler, family: Family | null): RouteHandler {
  if (typeof handler === 'function') return handling(endpoint, handler, family);
  if ('open' in handler) return streaming(endpoint, handler, family);
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

/** Checks the query and the body before the record, which is the documented order of errors. */
function callOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  ofFamily: Family | null,
): EndpointCall<Endpoint> {
  const { query, body, needs, condition, idempotent } = endpoint;
  const sent = {
    ...(query !== undefined && { query: checkInput(query, request.query) }),
    ...(body !== undefined && { body: checkInput(body.schema, bodyOrEmpty(request)) }),
  };
  const family = ofFamily === null ? null : { projectId: accessOf(request).projectId, family: ofFamily };
  const key = idempotent === true ? idempotencyKeyOf(request, endpoint, family) : null;
  const record = needs === 'record' ? addressedRecord(request) : null;
  return {
    request,
    reply,
    ...sent,
    ...(family !== null && { family }),
    ...(record !== null && { record }),
    ...(idempotent === true && { key }),
    ...(condition === 'If-Match' && { precondition: conditionOf(request, record, family) }),
  };
}

function conditionOf(request: FastifyRequest, record: ConfigRecord | null, family: FamilyRef | null) {
  if (family === null) throw new Error('Only records and families have versions.');
  const { lineage } = accessOf(request);
  const name = record === null ? familyTagName(family, lineage) : recordTagName(record, lineage);
  return preconditionOf(request.headers['if-match'], name);
}
