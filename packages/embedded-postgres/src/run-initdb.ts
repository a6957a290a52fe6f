import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { SystemUser } from './system-user.ts';

export interface RunInitdb {
  readonly initdb: string;
  readonly user: SystemUser | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs `initdb`. Settles only after `initdb` and its children have closed their output, so that none of them still writes. */
export async function runInitdb({ initdb, user, signal }: RunInitdb, args: readonly string[]): Promise<void> {
  signal?.throwIfAborted();
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(initdb, args, { ...user, env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => (output += text));
  const interrupt = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', interrupt);
  await once(child, 'close').finally(() => signal?.removeEventListener('abort', interrupt));
  signal?.throwIfAborted();
  if (child.exitCode === 0) return;
  throw new EmbeddedPostgresError(
    `The database could not be created: ${errorsIn(output)}. Set DATABASE_URL to use one of yours.`,
  );
}

function errorsIn(output: string): string {
  const errors = output.split('\n').filter((line) => /error|fatal|could not/i.test(line));
  return errors.join('; ') || output.trim();
}
