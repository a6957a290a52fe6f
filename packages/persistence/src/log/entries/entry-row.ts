/** An entry as it is stored. */
export interface EntryRow {
  /** The start of the day. Like `timestamp`, in milliseconds since 1970. */
  readonly day: number;
  readonly recordId: number;
  readonly timestamp: number;
  readonly id: string;
  readonly instanceId: string;
  readonly plugin: number;
  readonly kind: number;
  /** The source and type if one of them is not a known one; otherwise null. */
  readonly sourceType: string | null;
  readonly message: string;
}

/**
 * The order in which all writers insert, so that they cannot deadlock: by day, then identity. The day comes first
 * because partitions are written one after the other.
 */
export function byKey(a: EntryRow, b: EntryRow): number {
  return (
    a.day - b.day ||
    a.recordId - b.recordId ||
    a.timestamp - b.timestamp ||
    (a.id < b.id ? -1 : Number(a.id > b.id))
  );
}

export function isSameEntry(a: EntryRow, b: EntryRow): boolean {
  return a.id === b.id && a.timestamp === b.timestamp && a.recordId === b.recordId;
}
