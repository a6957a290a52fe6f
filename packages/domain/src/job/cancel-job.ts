import { grantsScope, type KeyGrant } from '../access/api-key.ts';
import { checkMayQueue } from '../access/granted-change.ts';
import type { NewActivity } from '../activity/activity-entry.ts';
import type { Author } from '../kernel/author.ts';
import { DomainError, notFound } from '../kernel/domain-error.ts';
import type { RecordRef } from '../project/family.ts';
import type { Deadline } from '@plugin-config/flow';
import type { JobStore } from './job-store.ts';
import type { JobState } from '../vocabulary/vocabulary.ts';

interface Dependencies {
  readonly jobs: Pick<JobStore, 'cancel'>;
}

interface Command {
  readonly record: RecordRef;
  readonly id: string;
  readonly author: Author;
  readonly deadline?: Deadline;
}

/**
 * Cancels a queued job, or asks the runtime that has a job of its plugin to stop. Cancelling it again has no effect. Resolves to
 * whether a runtime is asked.
 */
export async function cancelJob(
  { jobs }: Dependencies,
  { record, id, author, deadline }: Command,
): Promise<boolean> {
  const state = await jobs.cancel(record, id, author, deadline);
  if (state === null) throw notFound();
  if (state === 'cancelling') return true;
  checkCancellable(state);
  return false;
}

/**
 * Checks that a key may cancel a job: with `config:write` alone, only a task for a runtime.
 * @throws DomainError `scope_missing`; `not_found`
 */
export async function checkMayCancel(
  { jobs }: { readonly jobs: Pick<JobStore, 'find'> },
  { key, record, id }: Pick<Command, 'record' | 'id'> & { readonly key: Pick<KeyGrant, 'scopes'> },
): Promise<void> {
  if (grantsScope(key.scopes, 'plugin:write')) return;
  const job = await jobs.find(record, id);
  if (job === null) throw notFound();
  checkMayQueue(key, job.type === null);
}

export function isCancellable(state: JobState): boolean {
  return state === 'queued';
}

export function describeCancellation(author: Author): NewActivity {
  return { ...author, activity: 'job_cancelled', changes: [] };
}

export function checkCancellable(state: JobState): void {
  if (isCancellable(state) || state === 'cancelled') return;
  const why = state === 'running' ? 'The job is running' : `The job has already ${state}`;
  throw new DomainError('job_not_queued', `${why}. Only a queued job can be cancelled.`);
}
