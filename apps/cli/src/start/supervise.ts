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
  /** Told of every end that nobody asked for, and when it is made good. */
  report(line: string): void;
  /** Told when a process that has never been ready is not tried any more. */
  giveUp(refusal: StartRefused): void;
  readonly policy?: RestartPolicy;
}

export interface Supervision {
  /** Resolves the first time that the process is ready. */
  readonly ready: Promise<void>;
  stop(graceMs: number, hurry?: AbortSignal): Promise<void>;
}

/** Keeps the process running until it is told to stop. */
export function supervise({ name, launch }: Supervised, options: SuperviseOptions): Supervision {
  const stopping = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  let launching: Promise<ManagedProcess | undefined> = Promise.resolve(undefined);
  const runOnce = async (onReady: () => void): Promise<Ended> => {
    const launched = launch();
    launching = launched.catch(() => undefined);
    return ended(launched, onReady);
  };
  const running = keepRunning(
    { name, runOnce, onFirstReady: firstReady.resolve, ...options },
    stopping.signal,
  );
  return {
    ready: firstReady.promise,
    stop: async (graceMs, hurry) => {
      stopping.abort();
      await (await launching)?.stop(graceMs, hurry);
      await running;
    },
  };
}

interface Ended {
  readonly code: number | null;
  readonly wasReady: boolean;
  readonly why: string;
}

async function ended(launched: Promise<ManagedProcess>, onReady: () => void): Promise<Ended> {
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
  runOnce(onReady: () => void): Promise<Ended>;
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
    const hopeless = code === policy.hopelessCode || failures >= policy.patience;
    if (!everReady && hopeless) return giveUp(new StartRefused(`${name}: ${why}`));
    pauseMs = pauseAfter(pauseMs, performance.now() - since, policy);
    report(`${name}: ${why}; it is started again in ${pauseMs / 1000} s.`);
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Asked anew: what an `await` has changed, the compiler does not know. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
