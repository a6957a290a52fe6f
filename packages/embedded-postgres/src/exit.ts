import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Exit {
  readonly code: number | null;
  /** Describes how the process ended. */
  readonly how: string;
}

/** Resolves when the process has ended, or could not be started. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  const { promise, resolve } = Promise.withResolvers<Exit>();
  child.on('error', ({ message }) => {
    if (child.pid === undefined) resolve({ code: null, how: `could not be started: ${message}` });
  });
  child.once('exit', (code, signal) => {
    resolve({ code, how: signal === null ? `exited with code ${code}` : `killed by ${signal}` });
  });
  return promise;
}

/** Resolves to true once the process has ended, or to false after this time or when `hurry` aborts. */
export async function endsWithin(
  exited: Promise<unknown>,
  ms: number,
  hurry?: AbortSignal,
): Promise<boolean> {
  const timeout = sleep(ms, false, { ref: false, ...(hurry && { signal: hurry }) }).catch(() => false);
  return Promise.race([exited.then(() => true), timeout]);
}
