import { spawn } from 'node:child_process';

/**
 * A small process that waits for this one to end, in whatever way, and then asks the other to stop: a killed
 * supervisor leaves no database behind. `release` when the other has ended.
 */
export function stopWhenWeEnd(pid: number): { release(): void } {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  watcher.on('error', () => {});
  watcher.unref();
  return { release: () => watcher.kill('SIGKILL') };
}
