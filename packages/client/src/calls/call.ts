import { attempt, readJson, type HttpRequest } from '../http/attempt.ts';
import { withRetries, type RetryPolicy } from '../http/retry.ts';
import type { Calls } from './calls.ts';
import { ENDPOINTS, type EndpointId, type PathParams } from './endpoints.ts';
import { uuid7Source } from '../uuid7.ts';
import { rememberHeaders, requireTag } from './tags.ts';

export interface RequestOptions {
  /** Ends the call and everything that it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** The time for each attempt. */
  readonly timeoutMs?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Writes only if this is still current: a tag, or the record or page as a call answered it. */
  readonly ifMatch?: string | object | undefined;
}

export interface IdempotencyOptions extends RequestOptions {
  /**
   * Names the request: the service carries out requests of one name once, and repeats the first answer. By default each
   * call has a name of its own. Null sends none; then a lost answer is not asked for again.
   */
  readonly idempotencyKey?: string | null | undefined;
}

export interface ReadOptions<T> extends RequestOptions {
  /** What the same call answered before. It is returned itself while nothing has changed. */
  readonly ifNoneMatch?: T | undefined;
}

export type CallInput<Id extends EndpointId> = { readonly params: PathParams<Id> } & Omit<
  Calls[Id],
  'answer'
>;

/** Calls an endpoint of the API. */
export type Call = <Id extends EndpointId>(
  id: Id,
  input: CallInput<Id>,
  options?: WriteOptions & IdempotencyOptions & ReadOptions<object>,
) => Promise<Calls[Id]['answer']>;

interface CallSettings {
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

export function callEndpoints({ url, key, fetch, timeoutMs: usualTimeoutMs, retry }: CallSettings): Call {
  const base = url.replace(/\/+$/, '');
  const nextId = uuid7Source();
  return async (id, input, options = {}) => {
    const { signal, timeoutMs = usualTimeoutMs, ifMatch, ifNoneMatch } = options;
    const [method, path, isIdempotent] = ENDPOINTS[id] as readonly [string, string, 'idempotent'?];
    const { params, query, body } = input as AnyInput;
    const { idempotencyKey = isIdempotent && nextId(Date.now()) } = options;
    const request: HttpRequest = {
      method,
      url: new URL(base + fill(path, params) + queryString(query)),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': requireTag(ifMatch) }),
        ...(idempotencyKey == null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifNoneMatch === undefined ? {} : { 'if-none-match': requireTag(ifNoneMatch) }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const answer = await withRetries(async () => attempt(request, { fetch, timeoutMs, signal }), {
      policy: retry,
      isRepeatable: method === 'GET' || 'if-match' in request.headers || 'idempotency-key' in request.headers,
      signal,
    });
    const value = answer.status === 304 ? ifNoneMatch : readJson(request, answer);
    if (typeof value === 'object' && value !== null) rememberHeaders(value, answer.headers);
    return value as Calls[typeof id]['answer'];
  };
}

interface AnyInput {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

function fill(path: string, params: AnyInput['params']): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function queryString(query: AnyInput['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one == null ? [] : [[name, textOf(one)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
