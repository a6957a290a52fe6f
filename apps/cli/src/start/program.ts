import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ExitInfo, type ManagedProcess } from './managed-process.ts';
import { RESTART_POLICY, type RestartPolicy } from './restart-policy.ts';
import { untilReady } from './until-ready.ts';
import { untilUnresponsive } from './until-unresponsive.ts';

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The URL that it listens on, with `/readyz` and `/livez`. */
  readonly url: string;
}

/**
 * Starts a program in its own process group, so that a Ctrl-C reaches only the supervisor, which stops the programs in
 * order. The program ends by itself when the supervisor's IPC channel closes, and is killed if it stops responding.
 */
export function launchProgram(
  { command, args, env, url }: Program,
  { unresponsiveForMs }: Pick<RestartPolicy, 'unresponsiveForMs'> = RESTART_POLICY,
): ManagedProcess {
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const ended = new AbortController();
  let reason: string | undefined;
  const exited = exitOf(child).then((exit) => {
    ended.abort();
    return { ...exit, reason };
  });
  void untilUnresponsive(`${url}/livez`, unresponsiveForMs, ended.signal).then((isUnresponsive) => {
    if (!isUnresponsive) return;
    reason = `gave no answer at /livez for ${unresponsiveForMs / 1000} s and was ended`;
    child.kill('SIGKILL');
  });
  const ready = becomeReady(`${url}/readyz`, exited, ended.signal);
  ready.catch(() => {});
  return {
    exited,
    ready,
    renew: () => void child.kill('SIGHUP'),
    stop: (graceMs, force) => stop(child, exited, graceMs, force),
  };
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
  force?: AbortSignal,
): Promise<void> {
  child.kill('SIGTERM');
  const grace = sleep(graceMs, undefined, { ref: false, ...(force && { signal: force }) }).catch(() => {});
  await Promise.race([exited, grace]);
  child.kill('SIGKILL');
  await exited;
}
