import { setImmediate } from 'node:timers/promises';
import { PluginConfigError } from '../http/error.ts';
import { backOffMs, pauseMs, sleep, unlessAborted } from '../http/retry.ts';
import type { RuntimeRecord } from '../wire.ts';
import type { Cache } from './cache.ts';
import { changeListeners } from './change-listeners.ts';
import { isAccessDenied, SHORT_WAIT_MS, WAIT_SECONDS, type Connection } from './connection.ts';
import { jobsConnection } from './jobs-connection.ts';
import type { JobRunner, JobsOptions } from './plugin-job.ts';
import type {
  ChangeListener,
  ErrorListener,
  FollowingOptions,
  FollowingRuntime,
  SecretsOptions,
} from './plugin-runtime.ts';
import type { Reports } from './reports.ts';
import { runJobs } from './run-jobs.ts';
import { start, type Followed, type Known } from './start.ts';
import { secretsWriter, type SecretsWriter, type Write } from './write-secrets.ts';

interface Surroundings {
  /** Aborted when the runtime ends. */
  readonly signal: AbortSignal;
  readonly onError: (thrown: unknown) => void;
  readonly secrets: SecretsWriter;
}

/** The specific part of one kind of runtime. */
interface Parts<State, Change, Failed, Service> {
  readonly service: Service & Pick<Connection<State>, 'fetch' | 'write'>;
  readonly cache: Cache<State>;
  readonly reports: Reports<Failed>;
  /** Returns the argument for a listener that has seen the previous state, or none. */
  readonly changeOf: (known: Known<State>, isNewListener: boolean) => Change;
}

interface Following<State, Change, Failed, Service> extends FollowingRuntime<Change, Failed> {
  readonly service: Service;
  /** Returns the last state. If an error has ended the runtime, throws that error. */
  known(): Known<State>;
  /** Replaces a state, if it is the last one, with what was written back. Listeners are not called. */
  replace(version: string | null, next: (state: State) => State): void;
  /** Resolves when the secrets are stored, and in the file. */
  writeBack(write: Omit<Write, 'send'>, options?: SecretsOptions): Promise<RuntimeRecord>;
}

/** Follows the service until it is closed or access is denied. Resolves when there is a first state. */
export async function follow<State extends Followed, Change, Failed, Service>(
  options: FollowingOptions & Pick<JobsOptions, 'plugins'>,
  partsOf: (surroundings: Surroundings) => Parts<State, Change, Failed, Service>,
): Promise<Following<State, Change, Failed, Service>> {
  const { startTimeoutMs = 60_000, retry, plugins } = options;
  const pauses = { baseMs: 1_000, maxPauseMs: 60_000, ...retry };
  const closing = new AbortController();
  const { signal } = closing;
  const errorListeners = new Set<ErrorListener>();
  /** Errors before the caller had a chance to add listeners. */
  let earlyErrors: unknown[] | null = [];
  const onError = (thrown: unknown): void => {
    if (!signal.aborted) tell(thrown);
  };
  const tell = (thrown: unknown): void => {
    if (earlyErrors !== null) earlyErrors.push(thrown);
    else emit(thrown);
  };
  const emit = (thrown: unknown): void => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    for (const listener of errorListeners) listener(error);
  };
  const secrets = secretsWriter({ pauses, signal, onError });
  const { service, cache, reports, changeOf } = partsOf({ signal, onError, secrets });

  let latest = await start({ service, cache, pauses, startTimeoutMs, onError });
  let denial: PluginConfigError | null = null;

  const changes = changeListeners<State, Change>({
    current: () => latest.state,
    changeOf: (state, isNewListener) => changeOf({ ...latest, state }, isNewListener),
    isClosed: () => signal.aborted,
    onDelivered: ({ version }, thrown) => {
      thrown.forEach(onError);
      if (thrown.length > 0) reports.failed(version, thrown[0]);
      else if (reports.version !== version) reports.delivered(version);
    },
  });

  let storing = Promise.resolve();
  const store = async (): Promise<void> => {
    storing = storing.then(async () => {
      if (!latest.stale && denial === null) await cache.store(latest.state).catch(onError);
    });
    return storing;
  };

  /** Fetches the next state. Resolves when the next request may be sent. */
  const poll = async (): Promise<void> => {
    const { state, stale } = latest;
    const startedAt = performance.now();
    // A stale state must be confirmed or replaced at once, so this request does not wait for a change.
    const fetched = await service.fetch(state, stale ? 0 : WAIT_SECONDS);
    await secrets.settled();
    const known = latest.state;
    const isSame = fetched === state || fetched.version === known.version;
    // What was written back during the request may be missing in its response. The next request has what is new.
    if (!isSame && known !== state) return;
    const received = isSame ? known : fetched;
    latest = { state: received, stale: received.isComplete === false, confirmedAt: performance.now() };
    if (received !== known) return;
    reports.repeat(received.version);
    const isShort = !stale && latest.confirmedAt - startedAt < SHORT_WAIT_MS;
    if (isShort) await sleep(backOffMs(1, pauses), signal);
  };

  const run = async (): Promise<void> => {
    // Lets the caller add its listeners first.
    await setImmediate();
    earlyErrors?.forEach(emit);
    earlyErrors = null;
    let failures = 0;
    for (;;) {
      await store();
      await unlessAborted(changes.deliver(), signal);
      try {
        await poll();
        failures = 0;
      } catch (error) {
        if (!(error instanceof PluginConfigError)) throw error;
        if (isAccessDenied(error)) {
          denial = error;
          await storing;
          await cache.remove().catch(onError);
          // Also if the caller has seen the denial and closes the runtime meanwhile.
          emit(error);
          closing.abort();
          return;
        }
        onError(error);
        latest = { ...latest, stale: true };
        await sleep(pauseMs(error, ++failures, pauses), signal);
      }
    }
  };

  const running = run().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

  const runners: JobRunner[] = [];
  const known = (): Known<State> => {
    if (denial !== null) throw denial;
    return latest;
  };
  return {
    known,
    service,
    async writeBack(write, settings) {
      const send = async (record: RuntimeRecord) => service.write(record, write.secrets);
      const stored = await secrets.write({ ...write, send }, settings);
      await store();
      return stored;
    },
    replace: (version, next) => {
      const { state } = latest;
      if (version === null || state.version !== version) return;
      latest = { ...latest, state: next(state) };
      changes.replace(state, latest.state);
      if (reports.version === version) reports.repeat(latest.state.version);
    },
    on: (event: 'change' | 'error', listener: ChangeListener<Change> & ErrorListener) => {
      if (event === 'change') return changes.add(listener);
      errorListeners.add(listener);
      return () => errorListeners.delete(listener);
    },
    applied: () => reports.applied(changes.delivered.version),
    failed: (error, records) => reports.failed(changes.delivered.version, error, records),
    jobs: (handlers, settings) => {
      known();
      // While the runtime closes, what happens to the last results is still news.
      const surroundings = { service: jobsConnection(options), pauses, signal, onError: tell };
      const runner = runJobs(surroundings, handlers, { plugins, ...settings });
      runners.push(runner);
      return runner;
    },
    close: async () => {
      closing.abort();
      await Promise.all(runners.map(async (runner) => runner.close()));
      await running;
      await storing;
      await reports.sent;
    },
  };
}

export function ageMsOf({ confirmedAt }: Known<unknown>): number {
  return Math.round(performance.now() - confirmedAt);
}
