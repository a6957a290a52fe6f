import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ExitInfo, type ManagedProcess } from './managed-process.ts';
import { RESTART_POLICY, type RestartPolicy } from './restart-policy.ts';
import { untilReady } from './until-ready.ts';
import { untilSilent } from './until-silent.ts';

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it listens: `/readyz` answers 200 once it can do its work, `/livez` whenever it runs. */
  readonly url: string;
}

/**
 * Runs in a process group of its own, so that a Ctrl-C in the terminal reaches it through us, in our order. The
 * channel to it closes when we end, in whatever way, and that ends it too. So does a silence that is too long.
 */
export function launchProgram(
  { command, args, env, url }: Program,
  { silentForMs }: Pick<RestartPolicy, 'silentForMs'> = RESTART_POLICY,
): ManagedProcess {
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const ended = new AbortController();
  let reason: string | undefined;
  const exited = exitOf(child).then((exit) => {
    ended.abort();
    return { ...exit, reason };
  });
  void untilSilent(`${url}/livez`, silentForMs, ended.signal).then((silent) => {
    if (!silent) return;
    reason = `gave no answer at /livez for ${silentForMs / 1000} s and was ended`;
    child.kill('SIGKILL');
  });
  const ready = becomeReady(`${url}/readyz`, exited, ended.signal);
  ready.catch(() => {});
  return { exited, ready, stop: (graceMs, hurry) => stop(child, exited, graceMs, hurry) };
}

function exitOf(child: ChildProcess): Promise<ExitInfo> {
  const { promise, resolve } = Promise.withResolvers<ExitInfo>();
  child.on('error', () => {
    if (child.pid === undefined) resolve({ code: null, signal: null });
  });
  child.once('exit', (code, signal) => resolve({ code, signal }));
  return promise;
}

async function becomeReady(readyUrl: string, exited: Promise<ExitInfo>, ended: AbortSignal): Promise<void> {
  await untilReady(readyUrl, ended);
  if (ended.aborted) throw new Error(`${describeExit(await exited)} before it was ready`);
}

async function stop(
  child: ChildProcess,
  exited: Promise<ExitInfo>,
  graceMs: number,
  hurry?: AbortSignal,
): Promise<void> {
  child.kill('SIGTERM');
  const patience = sleep(graceMs, undefined, { ref: false, ...(hurry && { signal: hurry }) }).catch(() => {});
  await Promise.race([exited, patience]);
  child.kill('SIGKILL');
  await exited;
}
