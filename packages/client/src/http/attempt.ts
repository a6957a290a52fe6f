import type { ErrorBody } from '../wire.ts';
import { PluginConfigError } from './error.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface AttemptOptions {
  readonly fetch: typeof fetch;
  /** The time limit for sending the request and reading the response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request once and reads the response. Throws if its status is neither 2xx nor 304. */
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
    // Following a redirect would lose the key, or turn a write into a read.
    const redirect = 'manual';
    const response = await fetch(url, { method, headers, body, redirect, signal: ending.signal });
    if (!response.ok && response.status !== 304) throw errorOf(request, await readResponse(response));
    return await read(response);
  } catch (error) {
    if (error instanceof PluginConfigError) throw error;
    signal?.throwIfAborted();
    throw new PluginConfigError(requestLine(request), {
      ...(ending.signal.aborted
        ? { code: 'timed_out', detail: `There was no response within ${timeoutMs} ms.` }
        : { code: 'unreachable', detail: 'The service could not be reached.' }),
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export async function readResponse(response: Response): Promise<HttpResponse> {
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Returns the JSON of a response; undefined if it is empty. */
export function parseJson(request: HttpRequest, { status, headers, text }: HttpResponse): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new PluginConfigError(requestLine(request), {
      code: 'unreadable',
      detail: 'The response is not JSON. Check that the URL is that of the service.',
      status,
      requestId: headers.get('x-request-id'),
      cause,
    });
  }
}

/** Throws if the response is not marked as a dry run: older releases ignore the parameter and carry out the request. */
export function requireDryRun(request: HttpRequest, { status, headers }: HttpResponse): void {
  if (headers.get('dry-run') === 'true') return;
  throw new PluginConfigError(requestLine(request), {
    code: 'no_dry_run',
    detail: 'The response is not marked as a dry run. The service may have carried out the request.',
    status,
    requestId: headers.get('x-request-id'),
  });
}

function errorOf(request: HttpRequest, response: HttpResponse): PluginConfigError {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  const retryAfterSeconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return new PluginConfigError(requestLine(request), {
    ...errorBodyOf(response),
    status,
    requestId,
    retryAfterSeconds: Number.isNaN(retryAfterSeconds) ? null : retryAfterSeconds,
  });
}

function errorBodyOf({
  status,
  text,
}: HttpResponse): ErrorBody | { readonly code: 'unreadable'; readonly detail: string } {
  // Browsers report redirects with status 0.
  if (status === 0 || (status >= 300 && status < 400)) {
    const detail = 'The URL redirects elsewhere. Use the URL of the service itself.';
    return { code: 'unreadable', detail };
  }
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    if (typeof body?.code === 'string' && typeof body.detail === 'string') return body as ErrorBody;
  } catch {
    // The text is not JSON.
  }
  return { code: 'unreadable', detail: 'The response is not from the service.' };
}

/** Names a request in errors, without the query, which may contain private data. */
export function requestLine({ method, url }: HttpRequest): string {
  return `${method} ${url.pathname}`;
}
