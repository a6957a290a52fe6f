import { utf8Length } from '../text.ts';
import type { FieldChange, NewActivity } from './activity-entry.ts';

export const CHANGES_MAX = 100;
export const CHANGES_MAX_BYTES = 64 * 1024;

/**
 * The changes that one entry tells: in their order, those that fit. The others are counted. None is cut here: what
 * becomes a secret later is masked in the history by the whole name of its field.
 */
export function boundChanges(changes: readonly FieldChange[]): Pick<NewActivity, 'changes' | 'more'> {
  const told: FieldChange[] = [];
  let left = CHANGES_MAX_BYTES;
  for (const change of changes) {
    if (told.length === CHANGES_MAX) break;
    const bytes = utf8Length(JSON.stringify(change)) + 1;
    if (bytes > left) continue;
    left -= bytes;
    told.push(change);
  }
  const more = changes.length - told.length;
  return more === 0 ? { changes } : { changes: told, more };
}
