import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Where an instance keeps what is its own. */
export interface DataDir {
  readonly path: string;
  /** Made by this start, so that its mode is ours to choose. */
  readonly isNew: boolean;
  readonly lock: string;
  readonly cluster: string;
  readonly password: string;
  readonly databaseUrl: string;
  readonly log: string;
}

export async function openDataDir(path: string): Promise<DataDir> {
  const wanted = resolve(path);
  await mkdir(dirname(wanted), { recursive: true });
  const created = await mkdir(wanted, { recursive: true, mode: 0o700 });
  const real = await realpath(wanted);
  return {
    path: real,
    isNew: created !== undefined,
    lock: join(real, 'lock'),
    cluster: join(real, 'postgres'),
    password: join(real, 'database-password'),
    databaseUrl: join(real, 'database-url'),
    log: join(real, 'postgres.log'),
  };
}
