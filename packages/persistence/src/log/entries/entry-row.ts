export interface EntryRow {
  /** The start of the day in milliseconds since 1970, like `timestamp`. */
  readonly day: number;
  readonly recordId: number;
  readonly timestamp: number;
  readonly id: string;
  readonly instanceId: string;
  readonly plugin: number;
  readonly kind: number;
  /** The source and type if either is not predefined; otherwise null. */
  readonly sourceType: string | null;
  readonly message: string;
}

/** The order in which all writers insert to avoid deadlocks: by day, since each partition is written separately, then by key. */
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
