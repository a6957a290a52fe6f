import { utf8Length } from '../kernel/text.ts';
import type { FieldChange, NewActivity } from './activity-entry.ts';

export const CHANGES_MAX = 100;
export const CHANGES_MAX_BYTES = 64 * 1024;

/** What an entry tells of its changes. */
export type Told = Pick<NewActivity, 'changes' | 'more'>;

/**
 * The changes that one entry tells: in their order, those that fit. The others are counted, and once there is no room
 * not even described. None is cut here: what becomes a secret later is masked in the history by the whole name of
 * its field.
 */
export function boundChanges<Changed>(
  changed: readonly Changed[],
  describe: (changed: Changed) => FieldChange,
): Told {
  const changes: FieldChange[] = [];
  let left = CHANGES_MAX_BYTES;
  for (const each of changed) {
    if (changes.length === CHANGES_MAX) break;
    const change = describe(each);
    const bytes = utf8Length(JSON.stringify(change)) + 1;
    if (bytes > left) continue;
    left -= bytes;
    changes.push(change);
  }
  const more = changed.length - changes.length;
  return more === 0 ? { changes } : { changes, more };
}
