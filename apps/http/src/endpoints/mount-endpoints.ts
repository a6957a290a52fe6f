import {
  endpoints,
  hasDryRun,
  readDryRun,
  rejectDryRun,
  rejectUnknownParameters,
  type Endpoint,
  type EndpointWork,
} from '@plugin-config/contract';
import {
  grantsScope,
  SMALL_CHANGE_BYTES,
  type Author,
  type Family,
  type KeyGrant,
} from '@plugin-config/domain';
import { accessOf, accountOf, deadlineOf, parseInTurn, passGate, type Guard } from '@plugin-config/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, onSendHookHandler } from 'fastify';
import { checkRequestKey, inTurnPerKey, replaying, setBodyDigest } from '../requests/request-key.ts';
import { receiveBody } from '../requests/json-body.ts';
import { READ_METHODS } from '../requests/read-methods.ts';
import { openAcrossTimelines } from '../streams/across-timelines.ts';
import { callOf, isStrict } from './call-of.ts';
import { familiesOf } from './families-of.ts';
import { dryWork, kindOf } from './work-of.ts';
import type { Handle, Handlers, CachedHandler, StreamHandler } from './handler.ts';

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;

type AnyHandler = Handle<Endpoint> | CachedHandler<Endpoint> | StreamHandler<Endpoint>;

/** The same handlers on the real ports, and on ports that commit nothing. */
interface HandlerPair<H> {
  readonly real: H;
  readonly dry: H;
}

/** All handlers. Items of all projects have those of the items of one: only the path and the admission differ. */
export type AllHandlers = Handlers<Omit<typeof endpoints, `${string}Service${string}`>>;

/** Adds a route for each endpoint and each of its families. Every write gets a dry run. */
export function mountEndpoints(
  app: FastifyInstance,
  guard: Guard,
  { real, dry }: HandlerPair<AllHandlers>,
): void {
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const handledBy = name.replace('Service', '') as keyof AllHandlers;
    const handlers = { real: real[handledBy], dry: dry[handledBy] };
    for (const family of familiesOf(endpoint))
      mount(app, guard, { endpoint, work: endpoint.work, family }, handlers);
  }
}

/** An endpoint, for one family if its path has one. */
interface Mounted {
  readonly endpoint: Endpoint;
  readonly work: EndpointWork;
  readonly family: Family | null;
}

function mount(
  app: FastifyInstance,
  guard: Guard,
  mounted: Mounted,
  handlers: HandlerPair<AnyHandler>,
): void {
  const { endpoint, family } = mounted;
  const { method, scope, orScope, unbound, keyOnly, needs, body } = endpoint;
  const real = routeHandler(mounted, handlers.real);
  const dry = () => routeHandler({ ...mounted, work: dryWork(mounted.work) }, handlers.dry);
  const handler = method === 'GET' ? real : withDryRun(endpoint, real, dry());
  app.route({
    method: methodsOf(endpoint),
    url: endpoint.path.replace(':family', family ?? ''),
    ...(needs !== 'page' && {
      onRequest: guard({ scope, orScope, needs, unbound, keyOnly, family }),
    }),
    ...(body?.maxBytes !== undefined && { bodyLimit: body.maxBytes }),
    ...(hasDryRun(endpoint) && { onSend: dropStoredHeaders }),
    handler: (request, reply) => {
      checkHead(endpoint, request, reply);
      return handler(request, reply);
    },
  });
}

/** Rejects a header without effect and, if the caller prefers it, parameters that the endpoint does not have. */
function checkHead(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): void {
  checkRequestKey(endpoint, request);
  if (!isStrict(request)) return;
  reply.header('preference-applied', 'handling=strict');
  rejectUnknownParameters(endpoint, request.query);
}

/** Runs the write, or its dry run if the query requests one. */
function withDryRun(endpoint: Endpoint, real: RouteHandler, dry: RouteHandler): RouteHandler {
  if (!hasDryRun(endpoint)) {
    return (request, reply) => {
      rejectDryRun(request.query);
      return real(request, reply);
    };
  }
  return (request, reply) =>
    readDryRun(request.query) ? dry(request, reply.header(DRY_RUN, 'true')) : real(request, reply);
}

/** The header of responses to dry runs. */
const DRY_RUN = 'dry-run';

/** Drops the headers that refer to stored data from the response to a dry run. */
const dropStoredHeaders: onSendHookHandler = (_request, reply, _payload, done) => {
  if (reply.hasHeader(DRY_RUN)) reply.removeHeader('location').removeHeader('etag');
  done();
};

function routeHandler(mounted: Mounted, handler: AnyHandler): RouteHandler {
  if ('open' in handler) return gated(mounted, streaming(mounted, handler));
  if (typeof handler === 'function') return gated(mounted, handling(mounted, handler));
  return cacheFirst(mounted, handler);
}

/** Reads the body, then passes the gate. */
function gated({ endpoint, work }: Mounted, handle: RouteHandler): RouteHandler {
  const { method, needs } = endpoint;
  const uniqueKeys = endpoint.body?.uniqueKeys === true;
  // Session requests skip the gate: they have no key and no large body.
  const pass: typeof passGate =
    needs === 'page' ? async (request, reply, _work, next) => next(request, reply) : passGate;
  if (method === 'GET') return (request, reply) => pass(request, reply, kindOf(work, request), handle);
  return async (request, reply) => {
    const body = await receiveBody(request, reply);
    setBodyDigest(request, body.bytes);
    const parse = (): unknown => body.parse({ uniqueKeys });
    request.body =
      body.bytes.length > SMALL_CHANGE_BYTES ? await parseInTurn(request, reply, parse) : parse();
    if (work === 'administration' && !isUnlimited(accessOf(request).key))
      request.server.gate.countChange(accountOf(request));
    return pass(request, reply, kindOf(work, request), handle);
  };
}

/** Whether a key may make any number of administrative changes, for imports. */
function isUnlimited({ scopes, projectIds }: KeyGrant): boolean {
  return projectIds.length === 0 && grantsScope(scopes, '*');
}

function methodsOf({ method, condition }: Endpoint): HTTPMethods | HTTPMethods[] {
  return condition === 'If-None-Match' ? READ_METHODS : method;
}

function handling({ endpoint, family }: Mounted, handle: Handle<Endpoint>): RouteHandler {
  const inTurn = inTurnPerKey();
  return (request, reply) => {
    const call = callOf(endpoint, request, reply, family);
    const once = 'author' in call ? (call.author as Author).once : undefined;
    if (once === undefined) return handle(call);
    return inTurn(once.name, deadlineOf(request), () => replaying(reply, async () => handle(call)));
  };
}

function cacheFirst(mounted: Mounted, { respondFromCache, handle }: CachedHandler<Endpoint>): RouteHandler {
  const { endpoint, family } = mounted;
  if (family === null) throw new Error(`${endpoint.operationId}: a cached response requires a family.`);
  const cachedOr =
    (read: RouteHandler): RouteHandler =>
    (request, reply) => {
      const { projectId } = accessOf(request);
      const sent = respondFromCache(request, reply, { projectId, family });
      if (sent === false) return read(request, reply);
      return sent === true ? undefined : sent;
    };
  // Another request may have read the response while this one waited at the gate.
  return cachedOr(gated(mounted, cachedOr(handling(mounted, handle))));
}

function streaming({ endpoint, family }: Mounted, { open }: StreamHandler<Endpoint>): RouteHandler {
  return async (request, reply) => {
    const call = callOf(endpoint, request, reply, family);
    const lastEventId = lastEventIdOf(request, call);
    const prepare = () => openAcrossTimelines(request, lastEventId, (cursor) => open(call, cursor));
    await request.server.streams.serve(request, reply, prepare);
  };
}

/** Returns the cursor to resume at: the header, which clients send when they reconnect, or the query parameter. */
function lastEventIdOf({ raw }: FastifyRequest, call: object): string | null {
  const header = raw.headers['last-event-id'];
  if (header !== undefined && header !== '') return String(header);
  return 'query' in call
    ? ((call.query as { readonly last_event_id?: string | null }).last_event_id ?? null)
    : null;
}
