import type { LogEntryStore } from '../log/log-entry-store.ts';
import type { LogOutbox } from './log-outbox.ts';

interface Dependencies {
  readonly outbox: LogOutbox;
  readonly log: Pick<LogEntryStore, 'append'>;
}

/** Moves one portion of lines into the logs. Resolves to their number. Safe to repeat: a log stores each line once. */
export async function drainOutbox({ outbox, log }: Dependencies): Promise<number> {
  const lines = await outbox.take();
  if (lines.length === 0) return 0;
  await log.append(lines);
  await outbox.remove(lines);
  return lines.length;
}
