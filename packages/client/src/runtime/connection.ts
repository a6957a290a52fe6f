import { hostname } from 'node:os';
import { callEndpoints } from '../calls/call.ts';
import { requestsTo } from '../calls/request.ts';
import { rememberHeaders } from '../calls/tags.ts';
import { PluginConfigError } from '../http/error.ts';
import { DEFAULT_RETRY } from '../http/retry.ts';
import type { RuntimeConfiguration, RuntimeReport } from '../wire/runtime.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { RuntimeOptions } from './plugin-runtime.ts';

/** The service, as a runtime sees it. Each call is one request. */
export interface Connection {
  /** Resolves to `known` itself if the service has the same version. Waits up to `waitSeconds` for another one. */
  fetch(known: RuntimeConfiguration | null, waitSeconds?: number): Promise<RuntimeConfiguration>;
  report(report: RuntimeReport): Promise<void>;
}

export function connection(options: RuntimeOptions, signal: AbortSignal): Connection {
  const { url, key, project, family, labels, timeoutMs = 10_000, fetch = globalThis.fetch } = options;
  const { instance = hostname().replaceAll(/[^\w.-]/g, '-') } = options;
  const params = { project_id: project, family };
  const retry = { ...DEFAULT_RETRY, attempts: 1 };
  const call = callEndpoints({ requestOf: requestsTo({ url, key }), timeoutMs, fetch, retry });
  return {
    async fetch(known, waitSeconds = 0) {
      // A configuration from a file has no tag.
      if (known !== null) rememberHeaders(known, new Headers({ etag: `"${known.version}"` }));
      const received = await call(
        'retrieveRuntime',
        { params, query: { wait: waitSeconds || undefined } },
        { ifNoneMatch: known ?? undefined, timeoutMs: timeoutMs + waitSeconds * 1000, signal },
      );
      requireConfiguration(received);
      return received.version === known?.version ? known : deepFreeze(received);
    },
    async report(report) {
      await call(
        'reportRuntime',
        { params: { ...params, instance }, body: { ...report, labels } },
        { signal },
      );
    },
  };
}

/** True if the service says that the key does not get the configuration. The page of a proxy says nothing about the key. */
export function isWithdrawal({ status, code }: PluginConfigError): boolean {
  return (status === 401 || status === 403 || status === 404) && code !== 'unreadable';
}

/** True for failures that may be over soon. */
export function isPassing({ status }: PluginConfigError): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** Whatever else answers must not replace the last good configuration. */
function requireConfiguration(received: Partial<RuntimeConfiguration> | undefined): void {
  if (typeof received?.version === 'string' && Array.isArray(received.results)) return;
  const detail = 'The answer is no configuration. Does the address lead to the service?';
  throw new PluginConfigError('GET runtime', { code: 'unreadable', detail });
}
