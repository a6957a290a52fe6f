import { EmbeddedPostgresError } from '@plugin-config/embedded-postgres';
import { listenForShutdown, StopRequested } from './shutdown.ts';
import { runEverything, type StartDependencies } from './run-everything.ts';
import { StartError } from './start-settings.ts';

const EXIT_AFTER_MS = 300;

/** Runs the whole service on this machine until a stop signal. Returns the exit code. */
export async function start(dependencies: StartDependencies, env: NodeJS.ProcessEnv): Promise<number> {
  ignoreClosedPipes();
  const shutdown = listenForShutdown(dependencies.shutdownMaxMs);
  const resources = new AsyncDisposableStack();
  try {
    await runEverything(dependencies, { env, shutdown, resources, print, report });
  } catch (error) {
    shutdown.fail(asError(error));
  }
  await resources.disposeAsync().catch((error: unknown) => report(asError(error).message));
  shutdown.release();
  const reason = asError(shutdown.signal.reason);
  const exitCode = reason instanceof StopRequested ? 0 : 1;
  if (exitCode !== 0) printError(explain(reason));
  exitSoon(exitCode);
  return exitCode;
}

/** Exits even if an interrupted migration still holds a connection open. */
function exitSoon(exitCode: number): void {
  setTimeout(() => process.exit(exitCode), EXIT_AFTER_MS).unref();
}

/** Keeps the service running when the reader of its output is gone, or the disk with its log is full. */
function ignoreClosedPipes(): void {
  for (const output of [process.stdout, process.stderr]) {
    // The listener in `main.ts` would end the process if the disk were full.
    output.removeAllListeners('error');
    output.on('error', () => {});
  }
}

const print = (text: string): void => void process.stdout.write(text);

const printError = (text: string): void => void process.stderr.write(`${text}\n`);

const report = (line: string): void => printError(`${new Date().toISOString()} ${line}`);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function explain(reason: Error): string {
  const isForOperator =
    reason instanceof StartError || reason instanceof EmbeddedPostgresError || 'code' in reason;
  return isForOperator ? reason.message : (reason.stack ?? reason.message);
}
