import { utf8Length } from '../kernel/text.ts';
import type { FieldChange, NewActivity } from './activity-entry.ts';

export const CHANGES_MAX = 100;
export const CHANGES_MAX_BYTES = 64 * 1024;

/** The changes in an activity entry, and how many were left out. */
export type ActivityChanges = Pick<NewActivity, 'changes' | 'more'>;

/**
 * Selects the changes that fit into one entry, in order, and counts the rest. Never truncates a change: masking a
 * field that becomes secret later needs its full name.
 */
export function boundChanges<Changed>(
  changed: readonly Changed[],
  describe: (changed: Changed) => FieldChange,
): ActivityChanges {
  const changes: FieldChange[] = [];
  let bytesLeft = CHANGES_MAX_BYTES;
  for (const each of changed) {
    if (changes.length === CHANGES_MAX) break;
    const change = describe(each);
    const bytes = utf8Length(JSON.stringify(change)) + 1;
    if (bytes > bytesLeft) continue;
    bytesLeft -= bytes;
    changes.push(change);
  }
  const more = changed.length - changes.length;
  return more === 0 ? { changes } : { changes, more };
}
