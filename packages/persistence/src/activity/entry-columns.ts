import type { Activity, ActivityEntry } from '@plugin-config/domain';
import type { Owner, Masker, StoredChanges } from '../configuration/configurations.ts';
import { columns } from '../postgres/columns.ts';

/** An activity entry with encrypted configuration values. */
export type StoredEntry = Omit<ActivityEntry, 'changes'> & StoredChanges;

/** The columns of an activity entry `a`. */
export const ENTRY = columns((row): StoredEntry => {
  const entry = {
    id: row.number('a.id'),
    activity: row.text('a.activity') as Activity,
    at: row.date('a.created_at'),
    actor: { keyId: row.numberOrNull('a.actor_key_id'), label: row.text('a.actor_label') },
    requestId: row.textOrNull('a.request_id'),
    changes: row.json('a.changes') as StoredChanges['changes'],
    configChanges: row.textOrNull('a.config_changes'),
  };
  const more = row.number('a.more');
  const applyId = row.textOrNull('a.apply_id');
  return { ...entry, ...(more > 0 && { more }), ...(applyId !== null && { applyId }) };
});

/** Decrypts and masks an entry. */
export function maskEntry(masker: Masker, owner: Owner, stored: StoredEntry): ActivityEntry {
  const { configChanges: _, ...entry } = stored;
  return { ...entry, changes: masker.changes(owner, stored) };
}
