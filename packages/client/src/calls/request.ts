import type { HttpRequest } from '../http/attempt.ts';
import { baseOf } from '../http/base-of.ts';
import { keyOf } from '../http/key-of.ts';
import { ENDPOINTS, type EndpointId } from './endpoints.ts';

/** What a call sends beside its headers. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** Makes the request of an endpoint. Headers without a value are left out. */
export type RequestOf = (
  id: EndpointId,
  parts: RequestParts,
  headers: Readonly<Record<string, string | null | undefined>>,
) => HttpRequest;

/** Without a key, requests have no `Authorization`. */
export function requestsTo({
  url,
  key,
}: {
  readonly url: string;
  readonly key?: string | undefined;
}): RequestOf {
  const base = baseOf(url);
  const checked = key && keyOf(key);
  return (id, { params, query, body }, headers) => {
    const [method, path] = ENDPOINTS[id];
    const optional = Object.entries({
      authorization: checked && `Bearer ${checked}`,
      'content-type': body && 'application/json',
      ...headers,
    });
    return {
      method,
      url: new URL(base + fill(path, params) + queryString(query)),
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
