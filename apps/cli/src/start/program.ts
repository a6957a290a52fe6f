import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type ExitInfo, type ManagedProcess } from './managed-process.ts';
import { untilReady } from './until-ready.ts';

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Answers 200 once the program can do its work. */
  readonly readyUrl: string;
}

/**
 * Runs in a process group of its own, so that a Ctrl-C in the terminal reaches it through us, in our order. The
 * channel to it closes when we end, in whatever way, and that ends it too.
 */
export function launchProgram({ command, args, env, readyUrl }: Program): ManagedProcess {
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
  const exited = exitOf(child);
  const ready = becomeReady(readyUrl, exited);
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

async function becomeReady(readyUrl: string, exited: Promise<ExitInfo>): Promise<void> {
  const ended = new AbortController();
  const exit = exited.finally(() => ended.abort());
  await untilReady(readyUrl, ended.signal);
  if (ended.signal.aborted) throw new Error(`${describeExit(await exit)} before it was ready`);
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
