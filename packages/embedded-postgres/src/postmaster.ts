import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { openPostgresLog } from './postgres-log.ts';
import type { SystemUser } from './system-user.ts';
import { untilAnswering } from './until-answering.ts';

const GRACE_MS = 5_000;
const LAST_GRACE_MS = 1_000;

export interface ExitInfo {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<ExitInfo>;
  /** Resolves when the database answers. Rejects with the reason if the process ends first. */
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
  readonly url: URL;
  readonly logPath: string;
}

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl-C in the terminal reaches the supervisor alone. The
 * supervisor decides when to stop PostgreSQL.
 */
export async function launchPostmaster(options: LaunchPostmaster): Promise<Postmaster> {
  const log = await openPostgresLog(options.logPath);
  const child = spawn(options.postgres, postgresArguments(options), {
    ...options.user,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    stdio: ['ignore', log.file.fd, log.file.fd],
    detached: true,
  });
  const exited = exitOf(child);
  await log.file.close();
  const pid = child.pid;
  if (pid === undefined)
    throw new EmbeddedPostgresError(`${options.postgres} cannot be run. Set DATABASE_URL.`);
  const watcher = interruptWhenWeEnd(pid);
  void exited.then(watcher.release);
  const ready = becomeReady(
    options.url,
    exited,
    async () => (await log.reason()) || `see ${options.logPath}`,
  );
  ready.catch(() => {});
  return { pid, exited, ready, stop: (graceMs, hurry) => stop(child, exited, graceMs, hurry) };
}

function postgresArguments({ cluster, settings }: LaunchPostmaster): readonly string[] {
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

function exitOf(child: ChildProcess): Promise<ExitInfo> {
  const { promise, resolve } = Promise.withResolvers<ExitInfo>();
  child.on('error', () => {
    if (child.pid === undefined) resolve({ code: null, signal: null });
  });
  child.once('exit', (code, signal) => resolve({ code, signal }));
  return promise;
}

async function becomeReady(
  url: URL,
  exited: Promise<ExitInfo>,
  reason: () => Promise<string>,
): Promise<void> {
  const ended = new AbortController();
  void exited.then(() => ended.abort());
  try {
    await untilAnswering(url, ended.signal);
  } catch (cause) {
    const why = ended.signal.aborted ? await reason() : String(cause);
    throw new EmbeddedPostgresError(`The database did not start: ${why}`, { cause });
  }
}

async function stop(
  child: ChildProcess,
  exited: Promise<ExitInfo>,
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

async function endsWithin(exited: Promise<ExitInfo>, ms: number, hurry?: AbortSignal): Promise<boolean> {
  const timeout = sleep(ms, false, { ref: false, ...(hurry && { signal: hurry }) }).catch(() => false);
  return Promise.race([exited.then(() => true), timeout]);
}

/**
 * Starts a small process that waits until this process ends and then interrupts the given process. So no database is left
 * running when its supervisor is killed. Call `release` when the given process has ended.
 */
function interruptWhenWeEnd(pid: number): { release(): void } {
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  watcher.on('error', () => {});
  watcher.unref();
  return { release: () => watcher.kill('SIGKILL') };
}
