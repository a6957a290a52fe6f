import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const STARTED_LINE = 2;
const STATUS_LINE = 7;

/** What a postmaster writes about itself into its cluster, for `pg_ctl`. */
export interface PostmasterFile {
  /** NaN if there is no file. */
  readonly pid: number;
  readonly startedAtSeconds: number;
  /** `ready` once it accepts connections. */
  readonly status: string;
}

/** Reads `postmaster.pid`. A killed postmaster leaves it behind. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return {
    pid: Number.parseInt(lines[0] ?? '', 10),
    startedAtSeconds: Number(lines[STARTED_LINE]),
    status: lines[STATUS_LINE]?.trim() ?? '',
  };
}
