import type { Author, RequestKey } from '../kernel/author.ts';
import type { ConfigRecord, Precondition } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Deadline } from '@plugin-config/flow';
import type { Job, ListedJob } from './job.ts';
import type { JobState } from '../vocabulary/vocabulary.ts';

export interface JobFilter {
  /** Null includes every state. */
  readonly state: JobState | null;
}

/** The response to a request that queues a job. */
export interface QueuedJob {
  readonly jobId: string;
  /** The record at the time the job was queued. */
  readonly record: ConfigRecord;
}

export interface QueueOptions {
  readonly deadline?: Deadline | undefined;
  /** A response to store under a key; absent if the request takes effect each time. */
  readonly keep?: { readonly key: RequestKey; readonly response: QueuedJob } | undefined;
}

export interface JobStore {
  /**
   * Queues a job and writes its author's activity entry `job_queued`, without changes. Bumps the family version, but
   * not the record version. Stores the response of `keep` in the same step. If there is a response under its key already,
   * stores nothing and resolves to that one, even if the precondition no longer holds; otherwise to null. Configuration and
   * plugin are not part of the stored response, because they may become secret: their current state is returned.
   * @throws DomainError `stale_version` if the version of the record does not match the precondition; `throttled` if
   * the project has `UNFINISHED_JOBS_MAX` unfinished jobs, or the author's API key too many stored responses in this
   * family; `busy` if the family is locked past the deadline
   */
  queue(job: Job, precondition: Precondition, options?: QueueOptions): Promise<QueuedJob | null>;
  find(record: RecordRef, id: string): Promise<ListedJob | null>;
  /** Returns the jobs of this record, newest first. The byte limit of a page counts the errors. */
  page(record: RecordRef, filter: JobFilter, page: PageRequest): Promise<Page<ListedJob>>;
  /**
   * Cancels a queued job of this record, writes the activity entry `job_cancelled` and bumps the family version. Marks a job
   * that a runtime has, and resolves to `cancelling`. Leaves any other job unchanged. Otherwise resolves to the state before, or
   * null if there is no such job. If a claim and a cancellation race, exactly one wins.
   * @throws DomainError `busy` if the family is locked past the deadline
   */
  cancel(
    record: RecordRef,
    id: string,
    author: Author,
    deadline?: Deadline,
  ): Promise<JobState | 'cancelling' | null>;
}
