import { attempt, parseJson, readResponse, requireDryRun } from '../http/attempt.ts';
import { withRetries, type RetryPolicy } from '../http/retry.ts';
import { uuid7Source } from '../uuid7.ts';
import type { Calls } from './calls.ts';
import { ENDPOINTS, type PathParams } from './endpoints.ts';
import type { RequestOf, RequestParts } from './request.ts';
import { rememberHeaders, requireTag } from './tags.ts';

export interface RequestOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout of each attempt. */
  readonly timeoutMs?: number | undefined;
}

export interface ChangeOptions extends RequestOptions {
  /** Identifies the request in the service's log and in the activity. By default, the service chooses an id for each attempt. */
  readonly requestId?: string | undefined;
  /**
   * If true, the service responds as if it had carried out the request, but stores nothing. The response has no tag, and its ids and
   * times are examples.
   */
  readonly dryRun?: boolean | undefined;
}

export interface WriteOptions extends ChangeOptions {
  /** Writes only if this is still current: a tag, or a record or page as returned by a method. */
  readonly ifMatch?: string | object | undefined;
}

export interface IdempotencyOptions extends ChangeOptions {
  /**
   * The service carries out requests with the same key once, and repeats the first response. By default, each call has its own key.
   * With null, the call has no key and is not retried if the response is lost.
   */
  readonly idempotencyKey?: string | null | undefined;
}

export interface ReadOptions<T> extends RequestOptions {
  /** The result of an earlier call. If nothing has changed, the call returns this object. */
  readonly ifNoneMatch?: T | undefined;
}

export type CallInput<Id extends keyof Calls> = { readonly params: PathParams<Id> } & Omit<
  Calls[Id],
  'response'
>;

/** Calls an endpoint of the API. */
export type Call = <Id extends keyof Calls>(
  id: Id,
  input: CallInput<Id>,
  options?: WriteOptions & IdempotencyOptions & ReadOptions<object>,
) => Promise<Calls[Id]['response']>;

export interface CallSettings {
  readonly requestOf: RequestOf;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

export function callEndpoints({ requestOf, fetch, timeoutMs: defaultTimeoutMs, retry }: CallSettings): Call {
  const nextId = uuid7Source();
  return async (id, input, options = {}) => {
    const { signal, timeoutMs = defaultTimeoutMs, ifMatch, ifNoneMatch, requestId, dryRun = false } = options;
    const [method, , isIdempotent] = ENDPOINTS[id] as readonly [string, string, 'idempotent'?];
    const { idempotencyKey = isIdempotent && nextId(Date.now()) } = options;
    const request = requestOf(id, dryRun ? asDryRun(input) : input, {
      'if-match': ifMatch && requireTag(ifMatch),
      'if-none-match': ifNoneMatch && requireTag(ifNoneMatch),
      'idempotency-key': idempotencyKey,
      'x-request-id': requestId,
    });
    // Planning is a POST that stores nothing.
    const isSafe = method === 'GET' || id === 'planConfiguration';
    const isRepeatable = isSafe || ifMatch !== undefined || idempotencyKey != null;
    const response = await withRetries(
      async () => attempt(request, { fetch, timeoutMs, signal }, readResponse),
      { policy: retry, isRepeatable, signal },
    );
    if (dryRun) requireDryRun(request, response);
    const value = response.status === 304 ? ifNoneMatch : parseJson(request, response);
    if (typeof value === 'object' && value !== null) rememberHeaders(value, response.headers);
    return value as Calls[typeof id]['response'];
  };
}

function asDryRun(input: RequestParts): RequestParts {
  return { ...input, query: { ...input.query, dry_run: true } };
}
