import { attempt, parseJson, readResponse, requireDryRun } from '../http/attempt.ts';
import { withRetries, type RetryPolicy } from '../http/retry.ts';
import { eventStream, type StreamOptions } from '../streams/event-stream.ts';
import { uuid7Source } from '../uuid7.ts';
import type { StreamEvent } from '../wire.ts';
import type { Operation } from './operations.ts';
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
   * The service carries out only the first request with a key, and repeats its response for the others. By default, each call has
   * its own key. With null, the call has no key and is not retried if the response is lost.
   */
  readonly idempotencyKey?: string | null | undefined;
}

/** The options of a write. @internal */
export type WriteOptionsOf<E> = (E extends { readonly condition: 'If-Match' }
  ? WriteOptions
  : ChangeOptions) &
  (E extends { readonly idempotent: true } ? IdempotencyOptions : unknown);

export interface ReadOptions<T> extends RequestOptions {
  /** The result of an earlier call. If nothing has changed, the call returns this object. */
  readonly ifNoneMatch?: T | undefined;
}

/** Sends a request and reads the response. @internal */
export type Call = (
  operation: Pick<Operation, 'route' | 'repeats'>,
  input: RequestParts,
  options?: WriteOptions & IdempotencyOptions & ReadOptions<object>,
) => Promise<unknown>;

/** Opens a stream. @internal */
export type OpenStream = (
  operation: Operation,
  input: RequestParts,
  options?: StreamOptions,
) => AsyncIterable<StreamEvent>;

/** @internal */
export interface Api {
  readonly call: Call;
  readonly open: OpenStream;
}

/** @internal */
export interface CallSettings {
  readonly requestOf: RequestOf;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

/** @internal */
export function callEndpoints({ requestOf, fetch, timeoutMs: defaultTimeoutMs, retry }: CallSettings): Call {
  const nextId = uuid7Source();
  return async ({ route, repeats }, input, options = {}) => {
    const { signal, timeoutMs = defaultTimeoutMs, ifMatch, ifNoneMatch, requestId, dryRun = false } = options;
    const { idempotencyKey = repeats === 'with a key' ? nextId(Date.now()) : null } = options;
    const query = dryRun ? { ...input.query, dry_run: true } : input.query;
    const request = requestOf(
      route,
      { ...input, query },
      {
        'if-match': ifMatch && requireTag(ifMatch),
        'if-none-match': ifNoneMatch && requireTag(ifNoneMatch),
        'idempotency-key': idempotencyKey,
        'x-request-id': requestId,
      },
    );
    const isRepeatable = repeats === 'always' || ifMatch !== undefined || idempotencyKey != null;
    const response = await withRetries(
      async () => attempt(request, { fetch, timeoutMs, signal }, readResponse),
      { policy: retry, isRepeatable, signal },
    );
    if (dryRun) requireDryRun(request, response);
    const value = response.status === 304 ? ifNoneMatch : parseJson(request, response);
    if (typeof value === 'object' && value !== null) rememberHeaders(value, response.headers);
    return value;
  };
}

/** @internal */
export function openStreams({ requestOf, ...settings }: CallSettings): OpenStream {
  return ({ route }, input, options = {}) =>
    eventStream(
      {
        ...settings,
        requestOf: (lastEventId) =>
          requestOf(route, input, { accept: 'text/event-stream', 'last-event-id': lastEventId || null }),
      },
      options,
    );
}
