import { attempt, parseJson, readResponse, type HttpRequest } from '../http/attempt.ts';
import type { PluginConfigError } from '../http/error.ts';
import { DEFAULT_RETRY, FOREVER, withRetries } from '../http/retry.ts';
import type { IngestReport } from '../wire.ts';
import type { Line } from './line.ts';

/** Smaller bodies do not benefit from compression. */
const COMPRESSED_MIN_BYTES = 1_024;

interface Target {
  /** The URL of the worker, without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly onError: (error: PluginConfigError) => void;
}

/** Sends a batch, and retries with the same bytes until it is stored or permanently rejected. */
export async function postBatch(
  { url, key, fetch, timeoutMs, onError }: Target,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<IngestReport> {
  const { body, headers } = await encode(lines);
  const request: HttpRequest = {
    method: 'POST',
    url: new URL(`${url}/ingest`),
    headers: { ...headers, authorization: `Bearer ${key}` },
    body,
  };
  const response = await withRetries(
    async () => attempt(request, { fetch, timeoutMs, signal }, readResponse),
    {
      policy: { ...DEFAULT_RETRY, ...FOREVER },
      isRepeatable: true,
      onError,
      signal,
    },
  );
  return parseJson(request, response) as IngestReport;
}

/** Joins lines into a body, and compresses it if the platform supports that. */
async function encode(lines: readonly Line[]) {
  const joined = new Blob([...lines]);
  const isCompressed = joined.size >= COMPRESSED_MIN_BYTES && 'CompressionStream' in globalThis;
  const body = isCompressed ? joined.stream().pipeThrough(new CompressionStream('gzip')) : joined;
  return {
    body: new Uint8Array(await new Response(body).arrayBuffer()),
    headers: {
      'content-type': 'application/x-ndjson',
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
  };
}
