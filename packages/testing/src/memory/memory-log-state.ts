import type { DeadLetter, DeliveryMessage, ErrorMessage, LogArrival, LogEntry } from '@plugin-config/domain';
import { wakeUpListeners, type WakeUpListeners } from '@plugin-config/flow';

export interface StoredLetter {
  readonly letter: DeadLetter;
  readonly identity: string;
  readonly addedAt: Date;
}

/** The arrivals of one followed log. */
interface MemoryFollow {
  readonly epoch: number;
  number: number;
  seenAt: number;
  readonly arrivals: (Omit<LogArrival, 'isExpected'> & { readonly at: number })[];
}

/** The followed logs of a store. */
interface MemoryFollows {
  readonly byRecord: Map<number, MemoryFollow>;
  readonly listeners: WakeUpListeners;
  lastEpoch: number;
}

/** Stored data of the log ports. */
export interface MemoryLogs {
  readonly entries: Map<string, LogEntry>;
  /** Keyed by record and id. */
  readonly deliveries: Map<string, DeliveryMessage>;
  /** The counted deliveries, which stay after their ids. */
  readonly counted: Set<DeliveryMessage>;
  /** Those of them that minutes have. */
  readonly countedByMinute: Set<DeliveryMessage>;
  /** The latest error of each record. */
  readonly errors: Map<number, ErrorMessage>;
  readonly letters: Map<number, StoredLetter>;
  readonly follows: MemoryFollows;
  lastLetter: number;
  /** Start of the earliest day on which entries are stored. */
  earliestKept: number;
  /** Runs the work when all earlier work has ended. */
  alone<T>(work: () => T | Promise<T>): Promise<T>;
}

export function memoryLogs(): MemoryLogs {
  let last: Promise<unknown> = Promise.resolve();
  return {
    entries: new Map(),
    deliveries: new Map(),
    counted: new Set(),
    countedByMinute: new Set(),
    errors: new Map(),
    letters: new Map(),
    follows: memoryFollows(),
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

function memoryFollows(): MemoryFollows {
  return { byRecord: new Map(), listeners: wakeUpListeners(), lastEpoch: 0 };
}
