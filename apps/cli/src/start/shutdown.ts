import { isatty } from 'node:tty';

/** Docker kills a container after ten seconds. */
const SHUTDOWN_MAX_MS = 9_300;
const GRACE_MIN_MS = 1_000;
/** A single Ctrl-C arrives twice, from the terminal and from npm. Signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;
const STANDARD_INPUT = 0;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/** The orderly shutdown of all processes. */
export interface Shutdown {
  /** Aborted with `StopRequested`, or with the error that ends the session. */
  readonly signal: AbortSignal;
  /** Aborted by a second stop signal. */
  readonly force: AbortSignal;
  fail(error: Error): void;
  /** Settles like the work, or rejects when the shutdown begins first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Returns how long a step of the shutdown may take, with `reservedMs` left for later steps. */
  graceMs(reservedMs: number): number;
  /** Removes the signal handlers. */
  release(): void;
}

/** @param maxMs the maximum duration of the whole shutdown */
export function listenForShutdown(maxMs = SHUTDOWN_MAX_MS): Shutdown {
  const end = new AbortController();
  const force = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  let endedAt: number | undefined;
  const finish = (reason: Error): void => {
    endedAt ??= performance.now();
    end.abort(reason);
    ended.reject(reason);
  };
  const onSignal = (): void => {
    if (endedAt !== undefined && performance.now() - endedAt > SAME_SIGNAL_MS) force.abort();
    finish(new StopRequested());
  };
  // A closed terminal stops the service. Without a terminal, SIGHUP is ignored, as `nohup` expects.
  const onHangUp = isatty(STANDARD_INPUT) ? onSignal : () => undefined;
  SIGNALS.forEach((name) => process.on(name, onSignal));
  process.on('SIGHUP', onHangUp);
  return {
    signal: end.signal,
    force: force.signal,
    fail: finish,
    race: (work) => Promise.race([work, ended.promise]),
    graceMs: (reservedMs) => {
      const passed = endedAt === undefined ? 0 : performance.now() - endedAt;
      return Math.max(GRACE_MIN_MS, maxMs - passed - reservedMs);
    },
    release: () => {
      SIGNALS.forEach((name) => process.off(name, onSignal));
      process.off('SIGHUP', onHangUp);
    },
  };
}
