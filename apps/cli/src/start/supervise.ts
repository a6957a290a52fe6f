import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit } from '@plugin-config/embedded-postgres';
import { StartError } from './start-settings.ts';

/** The database or an app. */
export interface ManagedProcess {
  readonly exited: Promise<Exit>;
  /** Rejects with the reason if the process ends before it is ready. */
  readonly ready: Promise<void>;
  /** Stops the process, and kills it after the grace period or on `force`. Resolves once it has exited. */
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}

interface Supervised {
  readonly name: string;
  launch(): Promise<ManagedProcess>;
  /** Reports each unexpected exit, and when the process is ready again. */
  report(line: string): void;
  /** Called when a process that was never ready will not be restarted. */
  giveUp(reason: StartError): void;
}

export interface Supervision {
  /** Resolves when the process is ready for the first time. */
  readonly ready: Promise<void>;
  stop(graceMs: number, force?: AbortSignal): Promise<void>;
}

const PAUSE_MS = 300;
/** How many times a process may fail before it is ever ready. */
export const FAILED_STARTS_MAX = 4;
/** The exit code of an app with invalid settings, which a restart does not fix. */
const WRONG_SETTINGS = 2;
const UNREADY_GRACE_MS = 1_000;

/** Keeps a process running until `stop` is called: restarts it whenever it exits. */
export function supervise({ name, launch, report, giveUp }: Supervised): Supervision {
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
    for (let failures = 1; !isAborted(stopping); failures++) {
      const { code, how } = await runOnce().catch(startFailure);
      if (isAborted(stopping)) return;
      if (!everReady && (code === WRONG_SETTINGS || failures >= FAILED_STARTS_MAX))
        return giveUp(new StartError(`${name}: ${how}`));
      report(`${name}: ${how}; restarting.`);
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = keepRunning();
  return {
    ready: firstReady.promise,
    stop: async (graceMs, force) => {
      stopping.abort();
      await (await launching)?.stop(graceMs, force);
      await running;
    },
  };
}

/** A function because TypeScript assumes that `aborted` does not change across an `await`. */
const isAborted = ({ signal }: AbortController): boolean => signal.aborted;

const startFailure = (error: unknown): Exit => ({
  code: null,
  how: `could not be started: ${messageOf(error)}`,
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
