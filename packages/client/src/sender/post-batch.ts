import { attempt, readJson, wholeAnswer, type HttpRequest } from '../http/attempt.ts';
import type { PluginConfigError } from '../http/error.ts';
import { DEFAULT_RETRY, FOREVER, withRetries } from '../http/retry.ts';
import type { IngestReport } from '../wire/message.ts';
import type { Line } from './line.ts';
import { pack } from './pack.ts';

interface Target {
  /** The address of the worker, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly onError: (error: PluginConfigError) => void;
}

/** Sends the same bytes again and again until the batch is stored or permanently rejected. */
export async function postBatch(
  { url, key, fetch, timeoutMs, onError }: Target,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<IngestReport> {
  const { body, headers } = await pack(lines);
  const request: HttpRequest = {
    method: 'POST',
    url: new URL(`${url}/ingest`),
    headers: { ...headers, authorization: `Bearer ${key}` },
    body,
  };
  const answer = await withRetries(async () => attempt(request, { fetch, timeoutMs, signal }, wholeAnswer), {
    policy: { ...DEFAULT_RETRY, ...FOREVER },
    isRepeatable: true,
    onError,
    signal,
  });
  return readJson(request, answer) as IngestReport;
}
