import { startOfDay } from '@plugin-config/domain';

/** An entry as it is stored. */
export interface EntryRow {
  readonly recordId: number;
  /** In milliseconds since the epoch. */
  readonly timestamp: number;
  readonly id: string;
  readonly instanceId: string;
  readonly plugin: number;
  readonly source: string;
  readonly type: string;
  readonly message: string;
}

/**
 * The order that every writer inserts in, so that no two wait for each other: by day, then by identity. Partitions
 * are written one after the other, hence the day comes first.
 */
export function byKey(a: EntryRow, b: EntryRow): number {
  if (a.recordId !== b.recordId || a.timestamp !== b.timestamp) {
    return startOfDay(a.timestamp) - startOfDay(b.timestamp) || a.recordId - b.recordId || a.timestamp - b.timestamp;
  }
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

export function isSameEntry(a: EntryRow, b: EntryRow): boolean {
  return a.id === b.id && a.timestamp === b.timestamp && a.recordId === b.recordId;
}
