import { endpoints, type Endpoint } from '@plugin-config/contract';

/** The properties of an endpoint that the client needs at run time. */
export interface Operation {
  /** The name of its method, such as `alerts.create`. */
  readonly name: string;
  /** The method and the path. */
  readonly route: string;
  /** The arguments of the method, between the ids in the path and the options. */
  readonly takes: readonly ('body' | 'query')[];
  readonly returns: 'events' | 'page' | 'results' | 'value';
  /** Whether the request can be repeated: always, with an `Idempotency-Key`, or only with a condition. */
  readonly repeats: 'always' | 'with a key' | 'with a condition';
}

/**
 * The endpoints of the contract. Where the contract is not available (in the published package and in the console), this module is
 * replaced with the same as data.
 */
export const operations: readonly Operation[] = Object.entries<Endpoint>(endpoints).map(
  ([name, endpoint]) => ({
    name: endpoint.client ?? name,
    route: `${endpoint.method} ${endpoint.path}`,
    takes: [
      ...(endpoint.body === undefined ? [] : (['body'] as const)),
      ...(queryNames(endpoint).length === 0 ? [] : (['query'] as const)),
    ],
    returns: returnsOf(endpoint),
    repeats: repeatsOf(endpoint),
  }),
);

/** Returns the names of the query parameters. A stream sets its cursor itself. */
function queryNames({ query }: Endpoint): readonly string[] {
  const fields = query === undefined ? {} : 'in' in query ? query.in.shape : query.shape;
  return Object.keys(fields).filter((name) => name !== 'last_event_id');
}

function returnsOf({ events, responses }: Endpoint): Operation['returns'] {
  if (events !== undefined) return 'events';
  const body = responses[200]?.body;
  const names = body !== undefined && 'shape' in body ? Object.keys(body.shape as object) : [];
  if (names.includes('next')) return 'page';
  return names.join() === 'results' ? 'results' : 'value';
}

/**
 * A POST can be repeated if it stores nothing, or if its repetition is rejected because the name or URL is taken in its project. A
 * project without an external id would be created twice.
 */
function repeatsOf({ method, scope, needs, conflict, idempotent }: Endpoint): Operation['repeats'] {
  if (idempotent === true) return 'with a key';
  const isRepeatable = scope === 'plugin:read' || (needs === 'project' && conflict === 'already_exists');
  return method === 'GET' || (method === 'POST' && isRepeatable) ? 'always' : 'with a condition';
}
