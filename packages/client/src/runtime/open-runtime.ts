import { setImmediate } from 'node:timers/promises';
import { baseOf } from '../http/base-of.ts';
import { PluginConfigError } from '../http/error.ts';
import { keyOf } from '../http/key-of.ts';
import { backOffMs, pauseMs, sleep } from '../http/retry.ts';
import { cacheFile, NO_CACHE } from './cache-file.ts';
import { changeListeners } from './change-listeners.ts';
import { connection, isWithdrawal } from './connection.ts';
import { errorListeners } from './error-listeners.ts';
import type { ChangeListener, ErrorListener, PluginRuntime, RuntimeOptions } from './plugin-runtime.ts';
import { reporter } from './reports.ts';
import { start } from './start.ts';

const WAIT_SECONDS = 50;
/** A wait that brings nothing new so soon was cut short, as by a service that shuts down. */
const SHORT_WAIT_MS = 1_000;

/**
 * Resolves to a runtime with the configuration of the service, or with that of the file if the service is out of reach. Rejects if there
 * is neither in time, and at once if the service says 401, 403 or 404.
 */
export async function openRuntime(options: RuntimeOptions): Promise<PluginRuntime> {
  const { url, key, project, family, startTimeoutMs = 60_000 } = options;
  const pauses = { baseMs: 1_000, maxPauseMs: 60_000, ...options.retry };
  const closing = new AbortController();
  const { signal } = closing;
  const errors = errorListeners();
  const onError = (error: unknown): void => {
    if (!signal.aborted) errors.emit(error);
  };
  const service = connection(options, signal);
  const owner = { key: keyOf(key), url: baseOf(url), project, family };
  const cache = options.cacheFile === undefined ? NO_CACHE : cacheFile(options.cacheFile, owner);

  let known = await start({ service, cache, pauses, startTimeoutMs, onError });
  let withdrawal: PluginConfigError | null = null;
  const current: PluginRuntime['current'] = () => {
    if (withdrawal !== null) throw withdrawal;
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

  /** Resolves after the pause until the next request. */
  const poll = async (): Promise<void> => {
    const { configuration, stale } = known;
    const startedAt = performance.now();
    // Without a wait, the service says at once whether an old configuration is still right.
    const received = await service.fetch(configuration, stale ? 0 : WAIT_SECONDS);
    known = { configuration: received, stale: false, confirmedAt: performance.now() };
    if (received !== configuration) return;
    reports.repeat();
    const isShort = !stale && known.confirmedAt - startedAt < SHORT_WAIT_MS;
    if (isShort) await sleep(backOffMs(1, pauses), signal);
  };

  const follow = async (): Promise<void> => {
    // The caller adds its listeners first.
    await setImmediate();
    errors.begin();
    let failures = 0;
    for (;;) {
      if (!known.stale) await cache.keep(known.configuration).catch(onError);
      await unlessAborted(changes.deliver(), signal);
      try {
        await poll();
        failures = 0;
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        if (isWithdrawal(error)) {
          await cache.remove().catch(onError);
          withdrawal = error;
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
    on: (event: 'change' | 'error', listener: ChangeListener & ErrorListener) =>
      ({ change: changes.add, error: errors.add })[event](listener),
    applied: () => reports.applied(changes.version),
    failed: (error, records) => reports.failed(changes.version, error, records),
    close: async () => {
      closing.abort();
      await running;
      await reports.sent;
    },
  };
}

/** Resolves or rejects as the promise does, but rejects at once if the signal is aborted. */
async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
