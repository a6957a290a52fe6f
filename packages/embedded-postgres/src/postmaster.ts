import { type ChildProcess, spawn } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { endsWithin, type Exit, exitOf } from './exit.ts';
import { openPostgresLog } from './postgres-log.ts';
import type { SystemUser } from './system-user.ts';
import { untilAnswering } from './until-answering.ts';

const GRACE_MS = 5_000;
const LAST_GRACE_MS = 1_000;

export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<Exit>;
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
 * Becomes PostgreSQL, and leaves a shell that stops it when our end of its input closes: when this process ends, even if it is
 * killed. PostgreSQL itself cannot notice that. The outer shell hands it to init, since PostgreSQL expects no foreign child.
 */
const SCRIPT = '( { read -r _; kill -INT $$; } <&3 3<&- >/dev/null 2>&1 & ) 3<&0; exec "$0" "$@" </dev/null';

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl-C in the terminal reaches this process alone, which decides
 * when to stop it.
 */
export async function launchPostmaster(options: LaunchPostmaster): Promise<Postmaster> {
  const log = await openPostgresLog(options.logPath);
  const child = spawn('/bin/sh', ['-c', SCRIPT, options.postgres, ...postgresArguments(options)], {
    ...options.user,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    stdio: ['pipe', log.file.fd, log.file.fd],
    detached: true,
  });
  const exited = exitOf(child);
  await log.file.close();
  const pid = child.pid;
  if (pid === undefined)
    throw new EmbeddedPostgresError(`${options.postgres} cannot be run. Set DATABASE_URL.`);
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

async function becomeReady(url: URL, exited: Promise<Exit>, reason: () => Promise<string>): Promise<void> {
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
