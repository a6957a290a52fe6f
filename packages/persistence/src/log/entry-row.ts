/** An entry as it is stored. */
export interface EntryRow {
  /** The start of its day; this and its timestamp are in milliseconds since the epoch. */
  readonly day: number;
  readonly recordId: number;
  readonly timestamp: number;
  readonly id: string;
  readonly instanceId: string;
  readonly plugin: number;
  /** The place of its source and type among the kinds of its record. */
  readonly kind: number;
  /** Of an entry whose kind is shared, what it is; null of all others. */
  readonly sourceType: string | null;
  readonly message: string;
}

/**
 * The order that every writer inserts in, so that no two wait for each other: by day, then by identity. Partitions
 * are written one after the other, hence the day comes first.
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
