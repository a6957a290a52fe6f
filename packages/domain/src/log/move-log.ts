import type { LogEntry } from './log-entry.ts';
import type { LogExport } from './log-export.ts';

interface Dependencies {
  readonly source: LogExport;
  /** Stores an entry once, however often it is appended. */
  readonly target: { append(entries: readonly LogEntry[]): Promise<unknown> };
}

export interface MoveProgress {
  readonly day: Date;
  /** The entries of the day that this call has copied. */
  readonly copied: number;
  /** All entries of the day. */
  readonly entries: number;
}

/**
 * Copies all logs into another store, the newest day first. After an interruption, the next call continues. Resolves to
 * the number of copied entries.
 */
export async function moveLog(
  { source, target }: Dependencies,
  onProgress: (progress: MoveProgress) => void = () => undefined,
): Promise<number> {
  let sum = 0;
  for (const { day, entries } of await source.unexportedDays()) {
    let copied = 0;
    for await (const portion of source.portions(day)) {
      await target.append(portion);
      copied += portion.length;
      onProgress({ day, copied, entries });
    }
    sum += copied;
  }
  return sum;
}
