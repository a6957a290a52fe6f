import type { JobHandler } from '@plugin-config/domain';
import { lone, structuredLogger, type Group, type openLog } from '@plugin-config/server';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

/** A worker that runs in the process of the test. */
export interface ServedWorker extends Disposable {
  readonly url: string;
  /** The lines of its log. */
  log(): string;
  /** Stops the worker as a signal does. Resolves when it has ended. */
  stop(): Promise<void>;
}

const LISTENING = /"url":"([^"]+)","msg":"listening"/;

/**
 * Starts a worker with exactly this environment, without the cost of a process. Its disposal begins to stop it.
 * @throws CannotStart if there is a reason not to start
 */
export async function serveWorker(
  env: NodeJS.ProcessEnv,
  handlers?: readonly JobHandler[],
): Promise<ServedWorker> {
  let text = '';
  const listening = Promise.withResolvers<string>();
  const ending = Promise.withResolvers<Awaited<Group['ending']>>();
  const write = (line: string): void => {
    text += line;
    const [, url] = LISTENING.exec(line) ?? [];
    if (url !== undefined) listening.resolve(url);
  };
  const log: typeof openLog = ({ service, level }) => ({
    logger: structuredLogger(service, level, { write }),
    flush: () => undefined,
  });
  const ended = serve(readEnv(env), lone(ending.promise), { log, ...(handlers && { handlers }) });
  const url = await Promise.race([listening.promise, ended.then(() => listening.promise)]);
  const stop = (): Promise<void> => {
    ending.resolve({ isReplaced: false, hurry: ending.promise });
    return ended;
  };
  return { url, log: () => text, stop, [Symbol.dispose]: () => void stop() };
}
