import { attempt, parseJson, readResponse, requireDryRun } from '../http/attempt.ts';
import { withRetries, type RetryPolicy } from '../http/retry.ts';
import { eventStream, type StreamOptions } from '../streams/event-stream.ts';
import { uuid7Source } from '../uuid7.ts';
import type { RequestOf, RequestParts } from './request.ts';
import type { CallEvent, CallInput, CallOutput, IdempotentRoute, Route, StreamRoute } from './routes.ts';
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

export interface ReadOptions<T> extends RequestOptions {
  /** The result of an earlier call. If nothing has changed, the call returns this object. */
  readonly ifNoneMatch?: T | undefined;
}

/** Sends a request and reads the response. @internal */
export type Call = <R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: WriteOptions & IdempotencyOptions & ReadOptions<object>,
) => Promise<CallOutput<R>>;

/** Opens a stream. @internal */
export type OpenStream = <R extends StreamRoute>(
  route: R,
  input: CallInput<R>,
  options?: StreamOptions,
) => AsyncIterable<CallEvent<R>>;

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

const IDEMPOTENT: Readonly<Record<IdempotentRoute, true>> = {
  'POST /api/projects/:project_id/configuration/apply': true,
  'POST /api/projects/:project_id/:family': true,
  'POST /api/projects/:project_id/:family/:id/job': true,
  'POST /api/projects/:project_id/:family/:id/revisions/:revision/restore': true,
};

/** POST requests that store nothing, or whose repetition is rejected because the name or URL is taken. */
const REPEATABLE: ReadonlySet<Route> = new Set<Route>([
  'POST /api/projects/:project_id/alerts',
  'POST /api/projects/:project_id/alerts/preview',
  'POST /api/projects/:project_id/configuration/plan',
  'POST /api/projects/:project_id/webhooks',
]);

/** @internal */
export function callEndpoints({ requestOf, fetch, timeoutMs: defaultTimeoutMs, retry }: CallSettings): Call {
  const nextId = uuid7Source();
  return async (route, input, options = {}) => {
    const { signal, timeoutMs = defaultTimeoutMs, ifMatch, ifNoneMatch, requestId, dryRun = false } = options;
    const { idempotencyKey = route in IDEMPOTENT ? nextId(Date.now()) : null } = options;
    const { query }: RequestParts = input;
    const request = requestOf(route, dryRun ? { ...input, query: { ...query, dry_run: true } } : input, {
      'if-match': ifMatch && requireTag(ifMatch),
      'if-none-match': ifNoneMatch && requireTag(ifNoneMatch),
      'idempotency-key': idempotencyKey,
      'x-request-id': requestId,
    });
    const isRepeatable =
      request.method === 'GET' || REPEATABLE.has(route) || ifMatch !== undefined || idempotencyKey != null;
    const response = await withRetries(
      async () => attempt(request, { fetch, timeoutMs, signal }, readResponse),
      { policy: retry, isRepeatable, signal },
    );
    if (dryRun) requireDryRun(request, response);
    const value = response.status === 304 ? ifNoneMatch : parseJson(request, response);
    if (typeof value === 'object' && value !== null) rememberHeaders(value, response.headers);
    return value as CallOutput<typeof route>;
  };
}

/** @internal */
export function openStreams({ requestOf, ...settings }: CallSettings): OpenStream {
  return (route, input, options = {}) =>
    eventStream(
      {
        ...settings,
        requestOf: (lastEventId) =>
          requestOf(route, input, { accept: 'text/event-stream', 'last-event-id': lastEventId || null }),
      },
      options,
    );
}
