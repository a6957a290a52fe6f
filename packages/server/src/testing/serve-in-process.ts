import type { openLog } from '../observability/open-log.ts';
import { memoryLog } from './memory-log.ts';

/** An app that runs in the process of the test. */
export interface ServedApp extends Disposable {
  readonly url: string;
  /** Returns the lines of its log. */
  log(): string;
  /** Stops the app as a signal would. Resolves when it has stopped. */
  stop(): Promise<void>;
}

/**
 * Starts an app in this process, which is cheaper than a separate one. Disposing of it stops it without waiting. Rejects if the
 * app does not start.
 * @param serve runs the app until `stopped` resolves
 */
export async function serveInProcess(
  serve: (stopped: Promise<void>, log: typeof openLog) => Promise<void>,
): Promise<ServedApp> {
  const log = memoryLog();
  const stopped = Promise.withResolvers<void>();
  const ended = serve(stopped.promise, log.open);
  const url = await Promise.race([log.url, ended.then(() => log.url)]);
  const stop = (): Promise<void> => {
    stopped.resolve();
    return ended;
  };
  return { url, log: log.text, stop, [Symbol.dispose]: () => void stop() };
}
