import { structuredLogger } from '../observability/logger.ts';
import type { openLog } from '../observability/open-log.ts';
import { urlIn } from './url-in.ts';

/** The log of an app that runs in the process of a test. */
interface MemoryLog {
  /** Replaces `openLog`. */
  readonly open: typeof openLog;
  /** Returns the lines written so far. */
  text(): string;
  /** Resolves to the URL that the app listens on. */
  readonly url: Promise<string>;
}

export function memoryLog(): MemoryLog {
  let text = '';
  const url = Promise.withResolvers<string>();
  const write = (line: string): void => {
    text += line;
    const found = urlIn(line);
    if (found !== undefined) url.resolve(found);
  };
  return {
    open: ({ service, level }) => structuredLogger(service, level, { write }),
    text: () => text,
    url: url.promise,
  };
}
