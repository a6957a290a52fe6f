import type { DeadLetter, DeliveryMessage, ErrorMessage, LogEntry } from '@plugin-config/domain';

export interface StoredLetter {
  readonly letter: DeadLetter;
  readonly identity: string;
  readonly addedAt: Date;
}

/** All that is stored of logs. */
export interface MemoryLogs {
  readonly entries: Map<string, LogEntry>;
  /** By their records and ids. */
  readonly deliveries: Map<string, DeliveryMessage>;
  /** Of each record the latest. */
  readonly errors: Map<number, ErrorMessage>;
  readonly letters: Map<number, StoredLetter>;
  lastLetter: number;
  /** Nothing is stored on an earlier day. */
  earliestKept: number;
  /** Runs one piece of work after the other. */
  alone<T>(work: () => T | Promise<T>): Promise<T>;
}

export function memoryLogs(): MemoryLogs {
  let last: Promise<unknown> = Promise.resolve();
  return {
    entries: new Map(),
    deliveries: new Map(),
    errors: new Map(),
    letters: new Map(),
    lastLetter: 0,
    earliestKept: Number.NEGATIVE_INFINITY,
    alone(work) {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}

export function entryKey({
  recordId,
  timestamp,
  id,
}: Pick<LogEntry, 'recordId' | 'timestamp' | 'id'>): string {
  return `${recordId} ${timestamp.getTime()} ${id}`;
}
