import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ManagedProcess } from './managed-process.ts';
import { pauseAfter, RESTART_POLICY, type RestartPolicy } from './restart-policy.ts';
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
  /** Tells the process, if it runs, to replace its own processes. */
  renew(): Promise<void>;
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}

/** Keeps a process running until `stop` is called. */
export function supervise({ name, launch }: Supervised, options: SuperviseOptions): Supervision {
  const stopping = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  let launching: Promise<ManagedProcess | undefined> = Promise.resolve(undefined);
  const runOnce = async (onReady: () => void): Promise<Exit> => {
    const launched = launch();
    launching = launched.catch(() => undefined);
    return runUntilExit(launched, onReady);
  };
  const running = keepRunning(
    { name, runOnce, onFirstReady: firstReady.resolve, ...options },
    stopping.signal,
  );
  return {
    ready: firstReady.promise,
    renew: async () => (await launching)?.renew?.(),
    stop: async (graceMs, force) => {
      stopping.abort();
      await (await launching)?.stop(graceMs, force);
      await running;
    },
  };
}

interface Exit {
  readonly code: number | null;
  readonly wasReady: boolean;
  readonly why: string;
}

async function runUntilExit(launched: Promise<ManagedProcess>, onReady: () => void): Promise<Exit> {
  try {
    const { ready, exited, stop } = await launched;
    const problem = await ready.then(onReady, messageOf);
    if (problem !== undefined) await stop(UNREADY_GRACE_MS);
    const exit = await exited;
    return { code: exit.code, wasReady: problem === undefined, why: problem ?? describeExit(exit) };
  } catch (error) {
    return { code: null, wasReady: false, why: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface KeepRunning extends SuperviseOptions {
  readonly name: string;
  runOnce(onReady: () => void): Promise<Exit>;
  onFirstReady(): void;
}

async function keepRunning(options: KeepRunning, stopping: AbortSignal): Promise<void> {
  const { name, runOnce, onFirstReady, report, giveUp, policy = RESTART_POLICY } = options;
  let pauseMs: number | undefined;
  let everReady = false;
  const onReady = (): void => {
    if (everReady) report(`${name}: is ready again.`);
    else onFirstReady();
  };
  for (let failures = 1; !stopping.aborted; failures += 1) {
    const since = performance.now();
    const { code, wasReady, why } = await runOnce(onReady);
    if (isAborted(stopping)) return;
    everReady ||= wasReady;
    const isFinal = code === policy.permanentFailureCode || failures >= policy.maxFailedStarts;
    if (!everReady && isFinal) return giveUp(new StartRefused(`${name}: ${why}`));
    pauseMs = pauseAfter(pauseMs, performance.now() - since, policy);
    report(`${name}: ${why}; it is started again in ${pauseMs / 1000} s.`);
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** A function, because TypeScript assumes that `aborted` cannot change across an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
