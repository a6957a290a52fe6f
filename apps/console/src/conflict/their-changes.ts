import type { ActivityEntry, ConfigRecord, RequestOptions } from '@plugin-config/client';
import { recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';

/** What others changed in a record. */
export interface TheirChanges {
  /** The last change; null if the history has none. */
  readonly last: ActivityEntry | null;
  /** Whether a field may have changed. Works for secrets, too. */
  readonly isTouched: (field: string) => boolean;
}

/**
 * Reads the changes since this state of the record from its history. Of the entries with the same timestamp, the oldest
 * produced the state. The others may be newer, so they count as changes, and nothing is overwritten silently.
 */
export async function readTheirChanges(
  at: RecordRef,
  { updated_at: since }: ConfigRecord,
  options: RequestOptions,
): Promise<TheirChanges> {
  const entries: ActivityEntry[] = [];
  for await (const entry of recordsOf(at).activity(at.id, { limit: 100 }, options)) {
    if (entry.created_at < since) break;
    entries.push(entry);
  }
  if (entries.at(-1)?.created_at === since) entries.pop();
  const touched = new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)));
  const isCut = entries.some(({ more }) => more !== undefined);
  return { last: entries[0] ?? null, isTouched: (field) => isCut || touched.has(field) };
}
