import type { ErrorBody } from '../wire/error.ts';
import { PluginConfigError } from './error.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface AttemptOptions {
  readonly fetch: typeof fetch;
  /** The time until the answer is read. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request once and reads its answer. One other than 2xx and 304 throws. */
export async function attempt<T>(
  request: HttpRequest,
  options: AttemptOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { fetch, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const { url, method, headers, body = null } = request;
    // A redirect would lose the key, or make a read of a write.
    const redirect = 'manual';
    const response = await fetch(url, { method, headers, body, redirect, signal: ending.signal });
    if (!response.ok && response.status !== 304) throw errorOf(request, await wholeAnswer(response));
    return await read(response);
  } catch (error) {
    if (error instanceof PluginConfigError) throw error;
    signal?.throwIfAborted();
    throw new PluginConfigError(requestLine(request), {
      ...(ending.signal.aborted
        ? { code: 'timed_out', detail: `No answer came within ${timeoutMs} ms.` }
        : { code: 'unreachable', detail: 'The service could not be reached.' }),
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export async function wholeAnswer(response: Response): Promise<HttpAnswer> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Reads the JSON of an answer. An empty answer is undefined. */
export function readJson(request: HttpRequest, { status, headers, text }: HttpAnswer): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PluginConfigError(requestLine(request), {
      code: 'unreadable',
      detail: 'The answer is not JSON. Does the address lead to the service?',
      status,
      requestId: headers.get('x-request-id'),
      cause,
    });
  }
}

/** An earlier release ignores what asks for a dry run. */
export function requireDryRun(request: HttpRequest, { status, headers }: HttpAnswer): void {
  if (headers.get('dry-run') === 'true') return;
  throw new PluginConfigError(requestLine(request), {
    code: 'no_dry_run',
    detail: 'The answer does not say that this was a dry run: the service may have carried the request out.',
    status,
    requestId: headers.get('x-request-id'),
  });
}

function errorOf(request: HttpRequest, answer: HttpAnswer): PluginConfigError {
  const { status, headers } = answer;
  const requestId = headers.get('x-request-id');
  const retryAfterSeconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return new PluginConfigError(requestLine(request), {
    ...errorBodyOf(answer),
    status,
    requestId,
    retryAfterSeconds: Number.isNaN(retryAfterSeconds) ? null : retryAfterSeconds,
  });
}

function errorBodyOf({
  status,
  text,
}: HttpAnswer): ErrorBody | { readonly code: 'unreadable'; readonly detail: string } {
  // Of a redirect, a browser tells nothing.
  if (status === 0 || (status >= 300 && status < 400)) {
    const detail = 'The address redirects elsewhere. Use the address of the service itself.';
    return { code: 'unreadable', detail };
  }
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    if (typeof body?.code === 'string' && typeof body.detail === 'string') return body as ErrorBody;
  } catch {
    // The text is not JSON.
  }
  return { code: 'unreadable', detail: 'The answer is not one of the service.' };
}

/** Leaves out the query, which may contain what should not be logged. */
export function requestLine({ method, url }: HttpRequest): string {
  return `${method} ${url.pathname}`;
}
