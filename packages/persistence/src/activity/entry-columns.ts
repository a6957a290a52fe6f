import type { Activity, ActivityEntry, FieldChange } from '@plugin-config/domain';
import { columns } from '../postgres/columns.ts';

/** The columns of an activity entry `a`. */
export const ENTRY = columns((row): ActivityEntry => {
  const entry = {
    id: row.number('a.id'),
    activity: row.text('a.activity') as Activity,
    at: row.date('a.created_at'),
    actor: { keyId: row.numberOrNull('a.actor_key_id'), label: row.text('a.actor_label') },
    requestId: row.textOrNull('a.request_id'),
    changes: row.json('a.changes') as readonly FieldChange[],
  };
  const more = row.number('a.more');
  const applyId = row.textOrNull('a.apply_id');
  return { ...entry, ...(more > 0 && { more }), ...(applyId !== null && { applyId }) };
});
