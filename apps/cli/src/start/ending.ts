const LATEST_END_MS = 9_300;
const SHORTEST_GRACE_MS = 1_000;
/** A terminal's Ctrl-C arrives twice under npm, which passes it on: only a later one is a second. */
const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/** When and why everything ends. */
export interface Ending {
  /** Aborted with `StopRequested`, or with what has failed. */
  readonly signal: AbortSignal;
  /** Aborted when the person at the terminal asks again. */
  readonly hurry: AbortSignal;
  fail(error: Error): void;
  /** The work's own result, or the end, whichever comes first. */
  unlessEnded<T>(work: Promise<T>): Promise<T>;
  /** How long a step of the end may take, when that much time is to stay for the ones after it. */
  graceMs(reservedMs: number): number;
  /** Gives the signals back. */
  release(): void;
}

export function listenForEnd(): Ending {
  const end = new AbortController();
  const hurry = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  let endedAt: number | undefined;
  const finish = (reason: Error): void => {
    endedAt ??= performance.now();
    end.abort(reason);
    ended.reject(reason);
  };
  const onSignal = (): void => {
    if (endedAt !== undefined && performance.now() - endedAt > SAME_SIGNAL_MS) hurry.abort();
    finish(new StopRequested());
  };
  SIGNALS.forEach((name) => process.on(name, onSignal));
  return {
    signal: end.signal,
    hurry: hurry.signal,
    fail: finish,
    unlessEnded: (work) => Promise.race([work, ended.promise]),
    graceMs: (reservedMs) => {
      const passed = endedAt === undefined ? 0 : performance.now() - endedAt;
      return Math.max(SHORTEST_GRACE_MS, LATEST_END_MS - passed - reservedMs);
    },
    release: () => SIGNALS.forEach((name) => process.off(name, onSignal)),
  };
}
