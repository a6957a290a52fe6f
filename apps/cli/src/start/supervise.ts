import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from '@plugin-config/embedded-postgres';
import { StartError } from './start-error.ts';

/** The database or an app. */
export interface ManagedProcess {
  readonly exited: Promise<Exit>;
  /** Rejects with the reason if the process ends before it is ready. */
  readonly ready: Promise<void>;
  /** Stops the process, and kills it after the grace period or on `hurry`. Resolves when it has ended. */
  stop(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export interface Supervised {
  readonly name: string;
  launch(): Promise<ManagedProcess>;
  /** Reports each unexpected exit, and when the process is ready again. */
  report(line: string): void;
  /** Called when a process that was never ready is not started again. */
  giveUp(reason: StartError): void;
  readonly restarts?: typeof RESTARTS;
}

export interface Supervision {
  /** Resolves the first time that the process is ready. */
  readonly ready: Promise<void>;
  stop(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

export const RESTARTS = {
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  /** A process that ran this long is started again after the first pause. */
  healthyAfterMs: 60_000,
  /** How often a process may fail before it was ever ready. */
  maxFailedStarts: 4,
};
/** The exit code of an app that cannot run with its settings, so that no restart helps. */
const WRONG_SETTINGS = 2;
const UNREADY_GRACE_MS = 1_000;

/** Keeps a process running until `stop` is called: starts it again whenever it ends, after growing pauses. */
export function supervise({ name, launch, report, giveUp, restarts = RESTARTS }: Supervised): Supervision {
  const stopping = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  let launching: Promise<ManagedProcess | undefined> = Promise.resolve(undefined);
  let everReady = false;
  const onReady = (): void => {
    if (everReady) report(`${name}: is ready again.`);
    everReady = true;
    firstReady.resolve();
  };
  const runOnce = async (): Promise<Exit> => {
    const launched = launch();
    launching = launched.catch(() => undefined);
    const { ready, exited, stop } = await launched;
    const problem = await ready.then(onReady, messageOf);
    if (problem === undefined) return exited;
    await stop(UNREADY_GRACE_MS);
    return { ...(await exited), how: problem };
  };
  const keepRunning = async (): Promise<void> => {
    let pauseMs: number | null = null;
    for (let failures = 1; !isAborted(stopping); failures++) {
      const since = performance.now();
      const { code, how } = await runOnce().catch(notStarted);
      if (isAborted(stopping)) return;
      if (!everReady && (code === WRONG_SETTINGS || failures >= restarts.maxFailedStarts))
        return giveUp(new StartError(`${name}: ${how}`));
      pauseMs = pauseAfter(pauseMs, performance.now() - since, restarts);
      report(`${name}: ${how}; it is started again in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = keepRunning();
  return {
    ready: firstReady.promise,
    stop: async (graceMs, hurry) => {
      stopping.abort();
      await (await launching)?.stop(graceMs, hurry);
      await running;
    },
  };
}

export function pauseAfter(previousMs: number | null, ranMs: number, restarts: typeof RESTARTS): number {
  if (previousMs === null || ranMs >= restarts.healthyAfterMs) return restarts.firstPauseMs;
  return Math.min(previousMs * 2, restarts.longestPauseMs);
}

/** A function, because TypeScript assumes that `aborted` cannot change across an `await`. */
const isAborted = ({ signal }: AbortController): boolean => signal.aborted;

const notStarted = (error: unknown): Exit => ({
  code: null,
  how: `could not be started: ${messageOf(error)}`,
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
