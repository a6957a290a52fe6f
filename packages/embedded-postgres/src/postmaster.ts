import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { endsWithin, type Exit, exitOf } from './exit.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import type { SystemUser } from './system-user.ts';

const GRACE_MS = 5_000;
const LAST_GRACE_MS = 1_000;
const POLL_MS = 20;
const LOG_MAX_BYTES = 10 * 1024 * 1024;
const ERROR_LINE = /FATAL|PANIC|could not|No space/;
const ERROR_LINES_MAX = 3;

export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Resolves when the database accepts connections. Rejects with the reason if the process ends first. */
  readonly ready: Promise<void>;
  /**
   * Closes the connections and shuts down cleanly. After `graceMs`, or when `hurry` aborts, shuts down immediately; the next
   * start then recovers from the write-ahead log.
   */
  stop(graceMs?: number, hurry?: AbortSignal): Promise<void>;
}

export interface LaunchPostmaster {
  readonly postgres: string;
  readonly user: SystemUser | undefined;
  readonly cluster: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly logPath: string;
}

/**
 * Becomes PostgreSQL, and leaves a shell that stops it when our end of its input closes: when this process ends, even if it is
 * killed. PostgreSQL itself cannot notice that. The outer shell hands it to init, since PostgreSQL expects no foreign child.
 */
const SCRIPT = '( { read -r _; kill -INT $$; } <&3 3<&- >/dev/null 2>&1 & ) 3<&0; exec "$0" "$@" </dev/null';

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl-C in the terminal reaches this process alone, which decides
 * when to stop it.
 */
export async function launchPostmaster(options: LaunchPostmaster): Promise<Postmaster> {
  const { postgres, user, cluster, settings, logPath } = options;
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(logPath);
  const startedAtSeconds = Math.floor(Date.now() / 1000);
  const { size: logged } = await log.stat();
  const child = spawn('/bin/sh', ['-c', SCRIPT, postgres, '-D', cluster, ...given], {
    ...user,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    stdio: ['pipe', log.fd, log.fd],
    detached: true,
  });
  const exited = exitOf(child);
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new EmbeddedPostgresError(`The database ${(await exited).how}`);
  const reason = async (): Promise<string> => (await lastErrors(logPath, logged)) || `see ${logPath}`;
  const isReady = async (): Promise<boolean> => {
    const file = await readPostmasterFile(cluster);
    // The file of an earlier postmaster may have the same pid, in a container.
    return file.status === 'ready' && file.pid === pid && file.startedAtSeconds >= startedAtSeconds;
  };
  const ready = becomeReady(isReady, exited, reason);
  ready.catch(() => {});
  return { pid, exited, ready, stop: (graceMs, hurry) => stop(child, exited, graceMs, hurry) };
}

/** There is no time limit, because recovery may take long. */
async function becomeReady(
  isReady: () => Promise<boolean>,
  exited: Promise<Exit>,
  reason: () => Promise<string>,
): Promise<void> {
  const ended = new AbortController();
  void exited.then(() => ended.abort());
  while (!(await isReady())) {
    await sleep(POLL_MS, undefined, { signal: ended.signal }).catch(() => {});
    if (ended.signal.aborted)
      throw new EmbeddedPostgresError(`The database did not start: ${await reason()}`);
  }
}

async function stop(
  child: ChildProcess,
  exited: Promise<Exit>,
  graceMs = GRACE_MS,
  hurry?: AbortSignal,
): Promise<void> {
  child.kill('SIGINT');
  if (await endsWithin(exited, graceMs, hurry)) return;
  child.kill('SIGQUIT');
  if (await endsWithin(exited, LAST_GRACE_MS)) return;
  child.kill('SIGKILL');
  await exited;
}

/** Opens the log for appending. Renames one that has grown too large to `.old`, and begins a new one. */
async function openLog(path: string) {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LOG_MAX_BYTES) await rename(path, `${path}.old`);
  return open(path, 'a', 0o600);
}

/** The last error lines that PostgreSQL has written after the first `logged` bytes of its log. */
async function lastErrors(path: string, logged: number): Promise<string> {
  const text = (await readFile(path)).subarray(logged).toString();
  const lines = text.split('\n').filter((line) => ERROR_LINE.test(line));
  return lines
    .slice(-ERROR_LINES_MAX)
    .map((line) => line.replace(/^.*?(?=[A-Z]+: )/, ''))
    .join('; ');
}
