import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from './exit.ts';

export interface RestartPauses {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** A process that ran this long is started again after the first pause. */
  readonly healthyAfterMs: number;
}

export const RESTART_PAUSES: RestartPauses = {
  firstPauseMs: 200,
  longestPauseMs: 10_000,
  healthyAfterMs: 60_000,
};

interface Kept {
  /** Starts the process, and resolves when it has ended. Rejects if it could not be started. */
  run(): Promise<Exit>;
  /** Called when the process has ended by itself. Returns false if it must not be started again. */
  onEnd(exit: Exit, pauseMs: number): boolean;
  readonly pauses: RestartPauses;
}

/** Starts a process again whenever it ends, after growing pauses, until the signal is aborted. */
export async function keepRunning({ run, onEnd, pauses }: Kept, stopping: AbortSignal): Promise<void> {
  let pauseMs: number | null = null;
  while (!stopping.aborted) {
    const since = performance.now();
    const exit = await run().catch(notStarted);
    if (isAborted(stopping)) return;
    pauseMs = pauseAfter(pauseMs, performance.now() - since, pauses);
    if (!onEnd(exit, pauseMs)) return;
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** A function, because TypeScript assumes that `aborted` cannot change across an `await`. */
export const isAborted = (signal: AbortSignal): boolean => signal.aborted;

function notStarted(error: unknown): Exit {
  const reason = error instanceof Error ? error.message : String(error);
  return { pid: undefined, code: null, how: `could not be started: ${reason}` };
}

export function pauseAfter(previousMs: number | null, ranMs: number, pauses: RestartPauses): number {
  if (previousMs === null || ranMs >= pauses.healthyAfterMs) return pauses.firstPauseMs;
  return Math.min(previousMs * 2, pauses.longestPauseMs);
}
