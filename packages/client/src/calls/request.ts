import type { HttpRequest } from '../http/attempt.ts';

/** The parts of a request other than its headers. */
export interface RequestParts {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: object | undefined;
}

/** Creates a request. Headers without a value are left out. @internal */
export type RequestOf = (
  route: string,
  parts: RequestParts,
  headers: Readonly<Record<string, string | null | undefined>>,
) => HttpRequest;

/** Returns a factory for requests to a service. Without a key, they have no `Authorization` header. @internal */
export function requestsTo(url: string, key: string | undefined): RequestOf {
  const baseUrl = normaliseUrl(url);
  const token = key && normaliseKey(key);
  return (route, { params, query, body }, headers) => {
    const [method = '', path = ''] = route.split(' ');
    const optional = Object.entries({
      prefer: 'handling=strict',
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

/** Returns the URL of a service without trailing slashes. */
export function normaliseUrl(url: string): string {
  if (/^https?:\/\//i.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(`The url must begin with http:// or https://: ${JSON.stringify(url)}`);
}

/**
 * Returns the key without surrounding white space, such as a file's trailing newline. Throws if it contains invalid characters,
 * because `fetch` would reject the header with an error that shows the key.
 */
export function normaliseKey(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed;
  throw new TypeError('The key contains an invalid character, such as a space, a line break or "…".');
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
