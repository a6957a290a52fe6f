import { type Group, withoutLeader } from '../index.ts';
import type { openLog } from '../observability/open-log.ts';
import { memoryLog } from './memory-log.ts';

/** An app that runs in the process of the test. */
export interface ServedApp extends Disposable {
  readonly url: string;
  /** The lines of its log. */
  log(): string;
  /** Stops the app as a signal does. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Starts an app without the cost of a process. Its disposal begins to stop it. Rejects if the app does not start.
 * @param serve runs the app until its group ends
 */
export async function serveInProcess(
  serve: (group: Group, log: typeof openLog) => Promise<void>,
): Promise<ServedApp> {
  const log = memoryLog();
  const ending = Promise.withResolvers<Awaited<Group['ending']>>();
  const ended = serve(withoutLeader(ending.promise), log.open);
  const url = await Promise.race([log.url, ended.then(() => log.url)]);
  const stop = (): Promise<void> => {
    ending.resolve({ isReplaced: false, hurry: new Promise(() => undefined) });
    return ended;
  };
  return { url, log: log.text, stop, [Symbol.dispose]: () => void stop() };
}
