import { spawn } from 'node:child_process';

/**
 * Starts a small process that waits until this process ends and then interrupts the given process. So no database is left
 * running when its supervisor is killed. Call `release` when the given process has ended.
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
