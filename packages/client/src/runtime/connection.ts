import { hostname } from 'node:os';
import { callEndpoints, openStreams, type Api } from '../calls/call.ts';
import { familyMethods, serviceMethods } from '../calls/methods.ts';
import { requestsTo } from '../calls/request.ts';
import { rememberHeaders } from '../calls/tags.ts';
import { PluginConfigError } from '../http/error.ts';
import { DEFAULT_RETRY } from '../http/retry.ts';
import type { FailedRecord, JsonObject, RuntimeConfiguration, RuntimeRecord, WrittenBack } from '../wire.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { FollowingOptions, RuntimeOptions } from './plugin-runtime.ts';
import type { Report } from './reports.ts';

export const WAIT_SECONDS = 50;
/** A wait that ends this soon without news was cut short, for example because the service is shutting down. */
export const SHORT_WAIT_MS = 1_000;

/** The calls of a runtime. Each sends one request. */
export interface Connection<State, Failed = FailedRecord> {
  /** Resolves to `known` itself if nothing has changed. Waits up to `waitSeconds` for a change. */
  fetch(known: State | null, waitSeconds?: number): Promise<State>;
  report(report: Report<Failed>): Promise<void>;
  /** Writes secrets of a record back. */
  write(record: RuntimeRecord, secrets: JsonObject): Promise<WrittenBack>;
}

export function connection(options: RuntimeOptions, signal: AbortSignal): Connection<RuntimeConfiguration> {
  const { project, family, labels, runs } = options;
  const { api, timeoutMs, instance } = requestsOf(options);
  const { feed } = serviceMethods(api);
  const records = familyMethods(api, { project_id: project, family });
  return {
    async fetch(known, waitSeconds = 0) {
      // A configuration from a file has no headers yet.
      if (known !== null) rememberHeaders(known, new Headers({ etag: `"${known.version}"` }));
      const received = await records.runtime(
        { wait: waitSeconds || undefined },
        { ifNoneMatch: known ?? undefined, timeoutMs: timeoutMs + waitSeconds * 1000, signal },
      );
      requireConfiguration(received);
      return received.version === known?.version ? known : deepFreeze(received);
    },
    async report(report) {
      await records.reportRuntime(instance, { ...report, labels, plugins: runs }, { signal });
    },
    write: async ({ id, config_version }, secrets) =>
      feed.writeBack(family, id, { config_version, set: secrets }, {}, { signal }),
  };
}

/** The common part of the requests of all runtimes. @internal */
export function requestsOf(options: FollowingOptions): {
  readonly api: Api;
  readonly timeoutMs: number;
  readonly instance: string;
} {
  const { url, key, timeoutMs = 10_000, fetch = globalThis.fetch } = options;
  const { instance = hostname().replaceAll(/[^\w.-]/g, '-') } = options;
  const retry = { ...DEFAULT_RETRY, attempts: 1 };
  const settings = { requestOf: requestsTo(url, key), timeoutMs, fetch, retry };
  return { api: { call: callEndpoints(settings), open: openStreams(settings) }, timeoutMs, instance };
}

/** Returns whether the service denies access to the configuration. Error pages from proxies do not count. */
export function isAccessDenied({ status, code }: PluginConfigError): boolean {
  return (status === 401 || status === 403 || status === 404) && code !== 'unreadable';
}

export function isTemporary({ status }: PluginConfigError): boolean {
  return status === null || status === 408 || status === 429 || status >= 500;
}

/** Throws if the response is not from the service, so it does not replace the last good configuration. */
function requireConfiguration(received: Partial<RuntimeConfiguration> | undefined): void {
  if (typeof received?.version !== 'string' || !Array.isArray(received.results)) throw notFromService();
}

export function notFromService(): PluginConfigError {
  const detail = 'The response is not a configuration. Check that the URL is that of the service.';
  return new PluginConfigError('GET runtime', { code: 'unreadable', detail });
}
