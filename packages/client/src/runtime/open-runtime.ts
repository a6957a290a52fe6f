import { setImmediate } from 'node:timers/promises';
import { PluginConfigError } from '../http/error.ts';
import { normaliseKey, normaliseUrl } from '../calls/request.ts';
import { backOffMs, pauseMs, sleep, unlessAborted } from '../http/retry.ts';
import { cacheFile, NO_CACHE } from './cache-file.ts';
import { changeListeners } from './change-listeners.ts';
import { connection, isAccessDenied } from './connection.ts';
import type { ChangeListener, ErrorListener, PluginRuntime, RuntimeOptions } from './plugin-runtime.ts';
import { reporter } from './reports.ts';
import { start } from './start.ts';

const WAIT_SECONDS = 50;
/** A wait that ends this soon without a change was cut short, for example because the service is shutting down. */
const SHORT_WAIT_MS = 1_000;

/**
 * Opens a runtime with the configuration from the service or, if the service is unavailable, from the file. Rejects if there is
 * neither within the timeout, and immediately if the service responds with 401, 403 or 404.
 */
export async function openRuntime(options: RuntimeOptions): Promise<PluginRuntime> {
  const { url, key, project, family, startTimeoutMs = 60_000 } = options;
  const pauses = { baseMs: 1_000, maxPauseMs: 60_000, ...options.retry };
  const closing = new AbortController();
  const { signal } = closing;
  const errorListeners = new Set<ErrorListener>();
  /** Errors before the caller had a chance to add listeners. */
  let earlyErrors: unknown[] | null = [];
  const onError = (thrown: unknown): void => {
    if (signal.aborted) return;
    if (earlyErrors !== null) earlyErrors.push(thrown);
    else emit(thrown);
  };
  const emit = (thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    for (const listener of errorListeners) listener(error);
  };
  const service = connection(options, signal);
  const owner = { key: normaliseKey(key), url: normaliseUrl(url), project, family };
  const cache = options.cacheFile === undefined ? NO_CACHE : cacheFile(options.cacheFile, owner);

  let known = await start({ service, cache, pauses, startTimeoutMs, onError });
  let denial: PluginConfigError | null = null;
  const current: PluginRuntime['current'] = () => {
    if (denial !== null) throw denial;
    const { configuration, stale, confirmedAt } = known;
    return { ...configuration, stale, ageMs: Math.round(performance.now() - confirmedAt) };
  };

  const reports = reporter({ send: service.report, onError });
  const changes = changeListeners({
    current,
    isClosed: () => signal.aborted,
    onDelivered: (version, thrown) => {
      thrown.forEach(onError);
      if (thrown.length > 0) reports.failed(version, thrown[0]);
      else if (reports.version !== version) reports.applied(version);
    },
  });

  /** Fetches the next configuration. Resolves when the next request may be sent. */
  const poll = async (): Promise<void> => {
    const { configuration, stale } = known;
    const startedAt = performance.now();
    // A stale configuration must be confirmed or replaced at once, so this request does not wait for a change.
    const received = await service.fetch(configuration, stale ? 0 : WAIT_SECONDS);
    known = { configuration: received, stale: false, confirmedAt: performance.now() };
    if (received !== configuration) return;
    reports.repeat();
    const isShort = !stale && known.confirmedAt - startedAt < SHORT_WAIT_MS;
    if (isShort) await sleep(backOffMs(1, pauses), signal);
  };

  const follow = async (): Promise<void> => {
    // Lets the caller add its listeners first.
    await setImmediate();
    earlyErrors?.forEach(emit);
    earlyErrors = null;
    let failures = 0;
    for (;;) {
      if (!known.stale) await cache.store(known.configuration).catch(onError);
      await unlessAborted(changes.deliver(), signal);
      try {
        await poll();
        failures = 0;
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        if (isAccessDenied(error)) {
          await cache.remove().catch(onError);
          denial = error;
          onError(error);
          closing.abort();
          return;
        }
        onError(error);
        known = { ...known, stale: true };
        await sleep(pauseMs(error, ++failures, pauses), signal);
      }
    }
  };

  const running = follow().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

  return {
    current,
    on: (event: 'change' | 'error', listener: ChangeListener & ErrorListener) => {
      if (event === 'change') return changes.add(listener);
      errorListeners.add(listener);
      return () => errorListeners.delete(listener);
    },
    applied: () => reports.applied(changes.version),
    failed: (error, records) => reports.failed(changes.version, error, records),
    close: async () => {
      closing.abort();
      await running;
      await reports.sent;
    },
  };
}
