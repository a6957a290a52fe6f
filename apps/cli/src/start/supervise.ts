import { type Exit, keepRunning } from '@plugin-config/supervision';
import type { ManagedProcess } from './managed-process.ts';
import { RESTART_POLICY, type RestartPolicy } from './restart-policy.ts';
import { StartRefused } from './start-refused.ts';

const UNREADY_GRACE_MS = 1_000;

export interface Supervised {
  readonly name: string;
  launch(): Promise<ManagedProcess>;
}

export interface SuperviseOptions {
  /** Reports each unexpected exit, and when the process is ready again. */
  report(line: string): void;
  /** Called when a process that was never ready is not restarted any more. */
  giveUp(refusal: StartRefused): void;
  readonly policy?: RestartPolicy;
}

export interface Supervision {
  /** Resolves the first time that the process is ready. */
  readonly ready: Promise<void>;
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}

/** Keeps a process running until `stop` is called. */
export function supervise(
  { name, launch }: Supervised,
  { report, giveUp, policy = RESTART_POLICY }: SuperviseOptions,
): Supervision {
  const stopping = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  let launching: Promise<ManagedProcess | undefined> = Promise.resolve(undefined);
  let everReady = false;
  let failures = 0;
  const onReady = (): void => {
    if (everReady) report(`${name}: is ready again.`);
    everReady = true;
    firstReady.resolve();
  };
  const run = async (): Promise<Exit> => {
    const launched = launch();
    launching = launched.catch(() => undefined);
    const { ready, exited, stop } = await launched;
    const problem = await ready.then(onReady, messageOf);
    if (problem === undefined) return exited;
    await stop(UNREADY_GRACE_MS);
    return { ...(await exited), how: problem };
  };
  const onEnd = ({ code, how }: Exit, pauseMs: number): boolean => {
    failures++;
    const isFinal = code === policy.permanentFailureCode || failures >= policy.maxFailedStarts;
    const isOver = !everReady && isFinal;
    if (isOver) giveUp(new StartRefused(`${name}: ${how}`));
    else report(`${name}: ${how}; it is started again in ${pauseMs / 1000} s.`);
    return !isOver;
  };
  const running = keepRunning({ run, onEnd, pauses: policy }, stopping.signal);
  return {
    ready: firstReady.promise,
    stop: async (graceMs, force) => {
      stopping.abort();
      await (await launching)?.stop(graceMs, force);
      await running;
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
