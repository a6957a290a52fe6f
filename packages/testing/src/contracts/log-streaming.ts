import {
  logFeeds,
  logStream,
  parseLogCursor,
  startLogStream,
  type ConfigRecord,
  type LogStep,
  type LogStreamRequest,
} from '@plugin-config/domain';
import { deadline } from '@plugin-config/flow';
import { anInterruption } from '../builders/an-interruption.ts';
import type { LogPorts } from '../log-ports.ts';
import { EVERY } from './log-of.ts';

/** Ends short pauses immediately, and longer pauses never. */
const timer = (work: () => void, afterMs: number) => {
  let isCancelled = false;
  if (afterMs <= 1000) void Promise.resolve().then(() => (isCancelled ? undefined : work()));
  return () => void (isCancelled = true);
};

const turn = (): Promise<void> => Promise.resolve();

const warn = (error: unknown): never => {
  throw error;
};

interface Given extends Partial<Omit<LogStreamRequest, 'cursor'>> {
  readonly cursor?: string;
}

/** Streams logs like a single process. */
export function streaming(ports: Pick<LogPorts, 'sequence' | 'logs' | 'wakeUps'>) {
  const dependencies = { ...ports, log: ports.logs, turn, timer, now: () => 0, warn };
  const feeds = logFeeds(dependencies);
  return {
    async open(record: ConfigRecord, { cursor, ...given }: Given = {}) {
      const request: LogStreamRequest = {
        record,
        filter: EVERY,
        tail: 0,
        cursor: cursor === undefined ? null : (parseLogCursor(cursor) ?? 'malformed_cursor'),
        deadline: deadline(60_000, () => 0),
        ...given,
      };
      const start = await startLogStream(dependencies, request);
      const { signal, abort } = anInterruption();
      const steps = logStream({ ...dependencies, feeds }, start, signal);
      const stop = abort;
      return { steps, stop, reader: readerOf(steps, stop) };
    },
  };
}

/** Reads entry by entry and keeps the cursor of the last one, like a client. */
function readerOf(steps: AsyncGenerator<LogStep, void>, stop: () => void) {
  let cursor = '';
  return {
    get cursor() {
      return cursor;
    },
    /** Reads this many entries, then ends the stream even if it has more. */
    async take(count: number): Promise<readonly string[]> {
      const taken: string[] = [];
      for await (const step of steps) {
        if (step.reset !== undefined) taken.push(step.reset);
        for (const { cursor: after, entry } of step.entries) {
          if (taken.length === count) break;
          taken.push(entry.id);
          cursor = after;
        }
        if (taken.length === count) break;
        cursor = step.cursor;
      }
      stop();
      return taken;
    },
  };
}
