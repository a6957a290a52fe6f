import type { DeadLetter, DeliveryMessage, ErrorMessage, LogEntry } from '@plugin-config/domain';

export interface StoredLetter {
  readonly letter: DeadLetter;
  readonly identity: string;
  readonly addedAt: Date;
}

/** All that is stored of logs. It is replaced as a whole. */
export interface MemoryLogState {
  readonly entries: ReadonlyMap<string, LogEntry>;
  /** By their records and ids. */
  readonly deliveries: ReadonlyMap<string, DeliveryMessage>;
  /** Of each record the latest. */
  readonly errors: ReadonlyMap<number, ErrorMessage>;
  readonly letters: ReadonlyMap<number, StoredLetter>;
  readonly lastLetter: number;
  /** Nothing can be stored on an earlier day. */
  readonly earliest: number;
}

/** What the adapters of the log side share. */
export interface MemoryLogs {
  state: MemoryLogState;
}

export function memoryLogs(): MemoryLogs {
  return {
    state: {
      entries: new Map(),
      deliveries: new Map(),
      errors: new Map(),
      letters: new Map(),
      lastLetter: 0,
      earliest: Number.NEGATIVE_INFINITY,
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
