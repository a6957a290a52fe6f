import type { ActivityEntry, ConfigRecord } from '@plugin-config/client';
import { recordsOf } from '../live/use-family.ts';
import type { RecordRef } from '../shell/addresses.ts';

const LIMIT = 100;

/** What somebody else has done to a record. */
export interface TheirWork {
  /** Who made the last change; null if the history does not tell. */
  readonly last: ActivityEntry | null;
  /** Whether a field may have changed: also of a secret, whose value is not shown. */
  readonly isTouched: (field: string) => boolean;
}

/**
 * Reads from the history what has changed since the record was like this. The oldest entry of that millisecond is what made
 * the record so; others of that millisecond may be newer, and count, so that nothing is overwritten without a question.
 */
export async function readTheirWork(
  at: RecordRef,
  { updated_at: since }: ConfigRecord,
  signal: AbortSignal,
): Promise<TheirWork> {
  const entries: ActivityEntry[] = [];
  for await (const entry of recordsOf(at).activity(at.id, { limit: LIMIT }, { signal })) {
    if (entry.created_at < since) break;
    entries.push(entry);
  }
  if (entries.at(-1)?.created_at === since) entries.pop();
  const touched = new Set(entries.flatMap(({ changes }) => changes.map(({ field }) => field)));
  const isCut = entries.some(({ more }) => more !== undefined);
  return { last: entries[0] ?? null, isTouched: (field) => isCut || touched.has(field) };
}
