import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** The resources that processes and the database have used since they started. */
export interface ResourceUse {
  /** CPU seconds of the app. */
  readonly app: number;
  /** CPU seconds of all PostgreSQL processes. */
  readonly postgres: number;
  /** CPU seconds of the load generator. */
  readonly load: number;
  /** Bytes that the app has exchanged with its callers and PostgreSQL. */
  readonly appBytes: number;
  readonly transactions: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
}

const TICKS_PER_SECOND = 100;
/** PostgreSQL publishes its statistics with a delay. */
const STATISTICS_MS = 1_200;

interface Processes {
  readonly app: number | undefined;
  readonly load: number | undefined;
}

/** Reads the used resources. Works only on Linux, because it reads `/proc`. */
export async function readResourceUse(client: Client, { app, load }: Processes): Promise<ResourceUse> {
  await sleep(STATISTICS_MS);
  const { rows } = await client.query<Record<'backend' | 'transactions' | 'wal' | 'bytes', string>>(`
    select pg_backend_pid() as backend, xact_commit as transactions,
      pg_current_wal_insert_lsn() - '0/0' as wal, pg_database_size(current_database()) as bytes
    from pg_stat_database where datname = current_database()`);
  const [row] = rows;
  return {
    app: cpuSeconds(app),
    load: cpuSeconds(load),
    postgres: cpuSecondsOfServer(row?.backend),
    appBytes: bytesOf(app),
    transactions: Number(row?.transactions),
    walBytes: Number(row?.wal),
    databaseBytes: Number(row?.bytes),
  };
}

export function difference(after: ResourceUse, before: ResourceUse): ResourceUse {
  const names = Object.keys(after) as (keyof ResourceUse)[];
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]),
  ) as unknown as ResourceUse;
}

/** Returns the CPU seconds of a process. */
export function cpuSeconds(pid: number | undefined): number {
  return statOf(pid)?.own ?? Number.NaN;
}

/** Returns the CPU seconds of the PostgreSQL server of a connection, including its processes that have ended. */
export function cpuSecondsOfServer(backend: string | undefined): number {
  const pid = statOf(backend)?.parent;
  const members = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0)
    .map((id) => ({ id, stat: statOf(id) }))
    .filter(({ id, stat }) => id === pid || stat?.parent === pid);
  return members.reduce(
    (sum, { id, stat }) => sum + (stat?.own ?? 0) + (id === pid ? (stat?.ended ?? 0) : 0),
    0,
  );
}

function statOf(pid: number | string | undefined) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const seconds = (first: number): number =>
      ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / TICKS_PER_SECOND;
    return { parent: fields[1], own: seconds(11), ended: seconds(13) };
  } catch {
    return undefined;
  }
}

function bytesOf(pid: number | undefined): number {
  const counts = [...readFileSync(`/proc/${pid}/io`, 'utf8').matchAll(/^[rw]char: (\d+)/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
