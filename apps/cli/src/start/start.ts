import { EmbeddedPostgresError } from '@plugin-config/embedded-postgres';
import { listenForEnd, StopRequested } from './ending.ts';
import { runEverything, type StartDependencies } from './run-everything.ts';
import { StartRefused } from './start-refused.ts';

const LINGER_MS = 300;

/** Runs the whole service on this machine until it is told to stop. Answers the exit code. */
export async function start(dependencies: StartDependencies, env: NodeJS.ProcessEnv): Promise<number> {
  ignoreAbsentReaders();
  const ending = listenForEnd();
  const resources = new AsyncDisposableStack();
  try {
    await runEverything(dependencies, { env, ending, resources, print, report });
  } catch (error) {
    ending.fail(asError(error));
  }
  await resources.disposeAsync().catch((error: unknown) => report(asError(error).message));
  ending.release();
  const reason = asError(ending.signal.reason);
  const exitCode = reason instanceof StopRequested ? 0 : 1;
  if (exitCode !== 0) complain(explain(reason));
  leaveSoon(exitCode);
  return exitCode;
}

/** A migration that was interrupted may still hold a connection open: that does not keep the process. */
function leaveSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), LINGER_MS).unref();
}

/** Whoever piped our output away and left does not end the service. */
function ignoreAbsentReaders(): void {
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

const print = (text: string): void => void process.stdout.write(text);

const complain = (text: string): void => void process.stderr.write(`${text}\n`);

const report = (line: string): void => complain(`${new Date().toISOString()} ${line}`);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function explain(reason: Error): string {
  const isForPeople =
    reason instanceof StartRefused || reason instanceof EmbeddedPostgresError || 'code' in reason;
  return isForPeople ? reason.message : (reason.stack ?? reason.message);
}
