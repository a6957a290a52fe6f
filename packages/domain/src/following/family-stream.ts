import { cursorAt, familyCursorText, hasReached, type FamilyCursor } from '../record/family-cursor.ts';
import type { StopSignal } from '@plugin-config/flow';
import type { FamilyAtVersion, FamilyFeeds, FamilyStep } from './family-feeds.ts';
import type { ResetReason } from '../vocabulary/vocabulary.ts';

export interface FamilyStreamRequest {
  readonly family: FamilyAtVersion;
  /** The cursor of the last step that the reader has received, or why the stream cannot resume there. */
  readonly cursor: FamilyCursor | ResetReason | null;
}

/**
 * Yields the steps of a stream until the signal is aborted. The first one only has the cursor, so the reader can
 * resume even if nothing changes.
 */
export async function* familyStream(
  { feeds }: { readonly feeds: FamilyFeeds },
  request: FamilyStreamRequest,
  signal: StopSignal,
): AsyncGenerator<FamilyStep, void> {
  const { reset, position } = startOf(request);
  yield { ...(reset !== null && { reset }), changes: [], cursor: familyCursorText(position) };
  for await (const page of feeds.after(request.family, position, signal)) {
    if (page.changes.length > 0 || page.reset !== undefined) yield page;
  }
}

function startOf({ family, cursor }: FamilyStreamRequest): {
  readonly reset: ResetReason | null;
  readonly position: FamilyCursor;
} {
  const now = cursorAt(family);
  if (cursor === null) return { reset: null, position: now };
  if (typeof cursor === 'string') return { reset: cursor, position: now };
  return hasReached(family, cursor)
    ? { reset: null, position: cursor }
    : { reset: 'unknown_cursor', position: now };
}
