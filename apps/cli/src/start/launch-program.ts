import { type ChildProcess, spawn } from 'node:child_process';
import { endAfterUs, endsWithin, type Exit, exitOf, untilUnanswered } from '@plugin-config/supervision';
import type { ManagedProcess } from './managed-process.ts';
import { RESTART_POLICY, type RestartPolicy } from './restart-policy.ts';
import { statusOf } from './status-of.ts';
import { untilReady } from './until-ready.ts';

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The URL that it listens on, with `/readyz` and `/livez`. */
  readonly url: string;
}

/** The questions at `/livez` that a program leaves unanswered before it is killed. */
const UNANSWERED_MAX = 6;
/** How long a program may take to end when the supervisor was killed. */
const ORPHAN_SECONDS = 5;

/**
 * Starts a program in its own process group, so that a Ctrl-C reaches only the supervisor, which stops the programs in
 * order. The program ends by itself when the supervisor's IPC channel closes, and is killed if it stops responding. Nothing
 * of its group outlives it.
 */
export function launchProgram(
  { command, args, env, url }: Program,
  { unresponsiveForMs }: Pick<RestartPolicy, 'unresponsiveForMs'> = RESTART_POLICY,
): ManagedProcess {
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  endAfterUs(child, { signal: 'SIGKILL', afterSeconds: ORPHAN_SECONDS, group: true });
  const ended = new AbortController();
  let reason: string | undefined;
  const exited = exitOf(child).then((exit) => {
    ended.abort();
    killGroup(child);
    return { ...exit, how: reason ?? exit.how };
  });
  const everyMs = unresponsiveForMs / UNANSWERED_MAX;
  const ask = async (): Promise<boolean> =>
    (await statusOf(`${url}/livez`, everyMs, ended.signal)) !== undefined;
  void untilUnanswered({ ask, everyMs, most: UNANSWERED_MAX }, ended.signal).then((isUnresponsive) => {
    if (!isUnresponsive) return;
    reason = `gave no answer at /livez for ${unresponsiveForMs / 1000} s and was ended`;
    killGroup(child);
  });
  const ready = becomeReady(`${url}/readyz`, exited, ended.signal);
  ready.catch(() => {});
  return {
    exited,
    ready,
    stop: (graceMs, force) => stop(child, exited, graceMs, force),
  };
}

/** Kills a program and all that it has started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}

async function becomeReady(readyUrl: string, exited: Promise<Exit>, ended: AbortSignal): Promise<void> {
  await untilReady(readyUrl, ended);
  if (ended.aborted) throw new Error(`${(await exited).how} before it was ready`);
}

async function stop(
  child: ChildProcess,
  exited: Promise<Exit>,
  graceMs: number,
  force?: AbortSignal,
): Promise<void> {
  child.kill('SIGTERM');
  if (!(await endsWithin(exited, graceMs, force))) killGroup(child);
  await exited;
}
