import type { HttpRequest } from '../http/attempt.ts';
import { normaliseKey, normaliseUrl } from '../http/client-options.ts';
import { ENDPOINTS, type EndpointId } from './endpoints.ts';

/** The parts of a request other than its headers. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** Creates the request of an endpoint. Headers without a value are left out. */
export type RequestOf = (
  id: EndpointId,
  parts: RequestParts,
  headers: Readonly<Record<string, string | null | undefined>>,
) => HttpRequest;

/** Returns a factory of requests. Without a key, they have no `Authorization` header. */
export function requestsTo({
  url,
  key,
}: {
  readonly url: string;
  readonly key?: string | undefined;
}): RequestOf {
  const baseUrl = normaliseUrl(url);
  const token = key && normaliseKey(key);
  return (id, { params, query, body }, headers) => {
    const [method, path] = ENDPOINTS[id];
    const optional = Object.entries({
      authorization: token && `Bearer ${token}`,
      'content-type': body && 'application/json',
      ...headers,
    });
    return {
      method,
      url: new URL(baseUrl + fill(path, params) + queryString(query)),
      headers: Object.fromEntries(optional.filter((header): header is [string, string] => header[1] != null)),
      body: body && JSON.stringify(body),
    };
  };
}

function fill(path: string, params: RequestParts['params']): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryString(query: RequestParts['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one == null ? [] : [[name, textOf(one)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
