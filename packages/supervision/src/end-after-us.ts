import { type ChildProcess, spawn } from 'node:child_process';

interface Ending {
  readonly signal: 'SIGINT' | 'SIGKILL';
  /** The time that the process has to end by itself. */
  readonly afterSeconds: number;
  /** True to end the whole process group that the process leads. */
  readonly group?: boolean;
}

/** Waits for the end of the input, which comes when this process ends. */
const SCRIPT = 'read -r _; sleep "$2"; kill -s "$1" -- "$0"';

/**
 * Starts a small process that waits until this process ends, even if it is killed, and then sends a signal to the child. So
 * no child outlives its supervisor, even if it hangs.
 * @throws if the small process cannot be started; the child is killed then
 */
export function endAfterUs(child: ChildProcess, { signal, afterSeconds, group = false }: Ending): void {
  if (child.pid === undefined) return;
  const target = String(group ? -child.pid : child.pid);
  const args = ['-c', SCRIPT, target, signal.slice('SIG'.length), String(afterSeconds)];
  const watcher = watch(args, child);
  watcher.on('error', () => {});
  watcher.unref();
  child.once('exit', () => watcher.kill('SIGKILL'));
}

function watch(args: readonly string[], child: ChildProcess): ChildProcess {
  try {
    return spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
