import type { ClaimedJob, Family, JobState } from '@plugin-config/domain';
import type { Ciphertext } from '../configuration/ciphertext.ts';
import { columns } from '../postgres/columns.ts';

/** A job with encrypted work. */
export interface StoredJob extends Omit<ClaimedJob, 'work'> {
  readonly work: Ciphertext;
}

/** The columns of a job `j` and of its record `r`. */
export const JOB = columns((row): StoredJob => ({
  id: row.text('j.id'),
  state: row.text('j.state') as JobState,
  attempts: row.number('j.attempts'),
  error: row.textOrNull('j.error'),
  actor: { keyId: row.numberOrNull('j.actor_key_id'), label: row.text('j.actor_label') },
  requestId: row.textOrNull('j.request_id'),
  createdAt: row.date('j.created_at'),
  startedAt: row.dateOrNull('j.started_at'),
  finishedAt: row.dateOrNull('j.finished_at'),
  work: row.text('j.work'),
  record: {
    projectId: row.number('r.project_id'),
    family: row.text('r.family') as Family,
    id: row.number('r.id'),
  },
  claim: row.number('j.claims'),
  isKeyRevoked: row.flag(
    'exists (select from api_key k where k.id = j.actor_key_id and k.revoked_at is not null)',
  ),
}));
