import type { Endpoint } from '@plugin-config/contract';
import { FAMILIES, FAMILY, type ConfigRecord, type Family, type FamilyRef } from '@plugin-config/domain';
import { accessOf, type Guard } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { familyName, preconditionOf, recordName } from '../answers/entity-tag.ts';
import { bodyOf, checked } from '../requests/checked.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import type {
  Call,
  EndpointGroup,
  Handle,
  Handler,
  Handlers,
  MemoryHandler,
  TurnHandler,
} from './handler.ts';

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

/** Gives each endpoint its route: one for each family where the path has a family. */
export function mountEndpoints<Group extends EndpointGroup>(
  app: FastifyInstance,
  guard: Guard,
  endpoints: Group,
  handlers: Handlers<Group>,
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // The table of handlers is typed by the same names, which the compiler forgets here.
    const handler = handlers[name] as Handler<Endpoint>;
    for (const family of familiesOf(endpoint)) mount(app, guard, endpoint, handler, family);
  }
}

function familiesOf({ path, needsLog }: Endpoint): readonly (Family | null)[] {
  if (!path.includes(':family')) return [null];
  return FAMILIES.filter((family) => needsLog !== true || FAMILY[family].hasLog);
}

function mount(
  app: FastifyInstance,
  guard: Guard,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
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

function routeHandler(endpoint: Endpoint, handler: Handler<Endpoint>, family: Family | null): RouteHandler {
  if (typeof handler === 'function') return handling(endpoint, handler, family);
  return 'fromMemory' in handler
    ? fromMemoryFirst(endpoint, handler, family)
    : inTurn(endpoint, handler, family);
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
  if (family === null) throw new Error(`${endpoint.operationId}: only a family has answers in memory.`);
  const read = handling(endpoint, handle, family);
  return (request, reply) => {
    const { projectId } = accessOf(request);
    return fromMemory(request, reply, { projectId, family }) ? undefined : read(request, reply);
  };
}

function inTurn(
  endpoint: Endpoint,
  { takeTurn, handle }: TurnHandler<Endpoint>,
  family: Family | null,
): RouteHandler {
  return (request, reply) => takeTurn(request, async () => handle(callOf(endpoint, request, reply, family)));
}

/** Checks what was sent, then finds the record: in the order in which refusals are told. */
function callOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  ofFamily: Family | null,
): Call<Endpoint> {
  const { query, body, needs, condition } = endpoint;
  const sent = {
    ...(query !== undefined && { query: checked(query, request.query) }),
    ...(body !== undefined && { body: checked(body.schema, bodyOf(request)) }),
  };
  const family = ofFamily === null ? null : { projectId: accessOf(request).projectId, family: ofFamily };
  const record = needs === 'record' ? addressedRecord(request) : null;
  return {
    request,
    reply,
    ...sent,
    ...(family !== null && { family }),
    ...(record !== null && { record }),
    ...(condition === 'If-Match' && { precondition: conditionOf(request, record, family) }),
  };
}

function conditionOf(request: FastifyRequest, record: ConfigRecord | null, family: FamilyRef | null) {
  if (family === null) throw new Error('Only records and families have versions.');
  const name = record === null ? familyName(family) : recordName(record);
  return preconditionOf(request.headers['if-match'], name);
}
