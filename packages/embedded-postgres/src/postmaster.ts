import { spawn } from 'node:child_process';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { endsWithin, type Exit, exitOf } from './exit.ts';
import { dataArgument, type SystemUser } from './system-user.ts';

const GRACE_MS = 5_000;
const LAST_GRACE_MS = 1_000;
const POLL_MS = 20;
const STATUS_LINE = 7;
const ERROR_LINE = /FATAL|PANIC|could not|No space/;
const ERROR_LINES_MAX = 3;

export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Resolves once the database accepts connections. Rejects with the reason if the process ends first. */
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
 * Execs PostgreSQL, and leaves a shell behind that stops it once this process ends or is killed, which closes the shell's input.
 * The shell is re-parented to init, because PostgreSQL expects no children that it did not start.
 */
const SCRIPT = '( { read -r _; kill -INT $$; } <&3 3<&- >/dev/null 2>&1 & ) 3<&0; exec "$0" "$@" </dev/null';

/**
 * Starts PostgreSQL in a separate process group: Ctrl-C in the terminal only reaches this process, which decides when to stop
 * PostgreSQL. Each launch starts a new log and keeps the previous one.
 */
export async function launchPostmaster(options: LaunchPostmaster): Promise<Postmaster> {
  const { postgres, user, cluster, settings, logPath } = options;
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await rename(logPath, `${logPath}.old`).catch(() => {});
  const log = await open(logPath, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', SCRIPT, postgres, '-D', dataArgument(user, cluster), ...given], {
    ...user,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: cluster,
    stdio: ['pipe', log.fd, log.fd],
    detached: true,
  });
  const exited = exitOf(child);
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new EmbeddedPostgresError(`The database ${(await exited).how}`);
  const ready = becomeReady(options, exited);
  ready.catch(() => {});
  return {
    pid,
    exited,
    ready,
    stop: async (graceMs = GRACE_MS, hurry) => {
      child.kill('SIGINT');
      if (await endsWithin(exited, graceMs, hurry)) return;
      child.kill('SIGQUIT');
      if (await endsWithin(exited, LAST_GRACE_MS)) return;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Waits for the status in `postmaster.pid`, like `pg_ctl`. There is no time limit, because recovery may take a long time. */
async function becomeReady({ cluster, logPath }: LaunchPostmaster, exited: Promise<Exit>): Promise<void> {
  const ended = new AbortController();
  void exited.then(() => ended.abort());
  const file = join(cluster, 'postmaster.pid');
  const status = async (): Promise<string | undefined> =>
    (await readFile(file, 'utf8').catch(() => '')).split('\n')[STATUS_LINE]?.trim();
  while ((await status()) !== 'ready') {
    await sleep(POLL_MS, undefined, { signal: ended.signal }).catch(() => {});
    if (ended.signal.aborted)
      throw new EmbeddedPostgresError(`The database did not start: ${await lastErrors(logPath)}`);
  }
}

async function lastErrors(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => ERROR_LINE.test(line));
  const errors = lines.slice(-ERROR_LINES_MAX).map((line) => line.replace(/^.*?(?=[A-Z]+: )/, ''));
  return errors.join('; ') || `see ${path}`;
}
