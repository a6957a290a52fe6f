import { attempt, readJson, requireDryRun, wholeAnswer } from '../http/attempt.ts';
import { withRetries, type RetryPolicy } from '../http/retry.ts';
import { uuid7Source } from '../uuid7.ts';
import type { Calls } from './calls.ts';
import { ENDPOINTS, type PathParams } from './endpoints.ts';
import type { RequestOf, RequestParts } from './request.ts';
import { rememberHeaders, requireTag } from './tags.ts';

export interface RequestOptions {
  /** Ends the call and everything that it waits for. */
  readonly signal?: AbortSignal | undefined;
  /** The time for each attempt. */
  readonly timeoutMs?: number | undefined;
}

export interface ChangeOptions extends RequestOptions {
  /** Identifies the request in the log of the service and in the activity. By default the service chooses one for each attempt. */
  readonly requestId?: string | undefined;
  /**
   * With true, the service answers as if it carried the request out, and stores nothing. The answer has no tag; its ids and times
   * are examples.
   */
  readonly dryRun?: boolean | undefined;
}

export interface WriteOptions extends ChangeOptions {
  /** Writes only if this is still current: a tag, or the record or page as a call answered it. */
  readonly ifMatch?: string | object | undefined;
}

export interface IdempotencyOptions extends ChangeOptions {
  /**
   * Names the request: the service carries out requests of one name once, and repeats the first answer. By default each
   * call has its own name. With null, the call has none, and is not retried if its answer is lost.
   */
  readonly idempotencyKey?: string | null | undefined;
}

export interface ReadOptions<T> extends RequestOptions {
  /** The earlier answer of the same call. The call returns this object if nothing has changed. */
  readonly ifNoneMatch?: T | undefined;
}

export type CallInput<Id extends keyof Calls> = { readonly params: PathParams<Id> } & Omit<
  Calls[Id],
  'answer'
>;

/** Calls an endpoint of the API. */
export type Call = <Id extends keyof Calls>(
  id: Id,
  input: CallInput<Id>,
  options?: WriteOptions & IdempotencyOptions & ReadOptions<object>,
) => Promise<Calls[Id]['answer']>;

export interface CallSettings {
  readonly requestOf: RequestOf;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

export function callEndpoints({ requestOf, fetch, timeoutMs: usualTimeoutMs, retry }: CallSettings): Call {
  const nextId = uuid7Source();
  return async (id, input, options = {}) => {
    const { signal, timeoutMs = usualTimeoutMs, ifMatch, ifNoneMatch, requestId, dryRun = false } = options;
    const [method, , isIdempotent] = ENDPOINTS[id] as readonly [string, string, 'idempotent'?];
    const { idempotencyKey = isIdempotent && nextId(Date.now()) } = options;
    const request = requestOf(id, dryRun ? asDryRun(input) : input, {
      'if-match': ifMatch && requireTag(ifMatch),
      'if-none-match': ifNoneMatch && requireTag(ifNoneMatch),
      'idempotency-key': idempotencyKey,
      'x-request-id': requestId,
    });
    // A plan stores nothing.
    const isSafe = method === 'GET' || id === 'planConfiguration';
    const isRepeatable = isSafe || ifMatch !== undefined || idempotencyKey != null;
    const answer = await withRetries(
      async () => attempt(request, { fetch, timeoutMs, signal }, wholeAnswer),
      { policy: retry, isRepeatable, signal },
    );
    if (dryRun) requireDryRun(request, answer);
    const value = answer.status === 304 ? ifNoneMatch : readJson(request, answer);
    if (typeof value === 'object' && value !== null) rememberHeaders(value, answer.headers);
    return value as Calls[typeof id]['answer'];
  };
}

function asDryRun(input: RequestParts): RequestParts {
  return { ...input, query: { ...input.query, dry_run: true } };
}
