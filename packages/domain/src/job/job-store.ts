import type { Author } from '../kernel/author.ts';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';
import type { ConfigRecord, Precondition } from '../record/config-record.ts';
import type { RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Deadline } from '@plugin-config/flow';
import type { Job, JobState, ListedJob } from './job.ts';

export interface JobFilter {
  /** Null to include every state. */
  readonly state: JobState | null;
}

/** What a request that queues a job is answered with. */
export interface JobAnswer {
  readonly jobId: string;
  /** The record when the job was queued. */
  readonly record: ConfigRecord;
}

export interface KeyedJob {
  readonly job: Job;
  readonly answer: JobAnswer;
  readonly precondition: Precondition;
  readonly key: IdempotencyKey;
  readonly deadline?: Deadline | undefined;
}

export interface JobStore {
  /**
   * Queues a job and writes the activity entry `job_queued` of its author, without changes. Raises the family version of the
   * family, but no version.
   * @throws DomainError `stale_version` if the version of the record is not one of the precondition, `throttled` if the
   * project has `UNFINISHED_JOBS_MAX` unfinished jobs, `busy` if the wait for the family exceeds the deadline
   */
  queue(job: Job, precondition: Precondition, deadline?: Deadline): Promise<void>;
  /**
   * Like `queue`, and keeps `answer` under this key in the same step. If an answer is kept already, stores nothing and
   * resolves to that answer, even if the precondition no longer holds. Configuration and plugin are not kept, since they
   * may become secret: that answer has the present ones.
   * @throws DomainError as `queue`, and `throttled` if too many answers are kept for the author's API key in this family
   */
  queueOnce(request: KeyedJob): Promise<Once<JobAnswer>>;
  find(record: RecordRef, id: string): Promise<ListedJob | null>;
  /** The jobs of this record, newest first. The byte limit of a page counts the errors. */
  page(record: RecordRef, filter: JobFilter, page: PageRequest): Promise<Page<ListedJob>>;
  /**
   * Cancels a queued job of this record, writes the activity entry `job_cancelled` and raises the family version of the
   * family. Leaves a job in another state unchanged. Resolves to the state that it found; null if there is no such job.
   * If a claim and a cancellation meet, exactly one wins.
   * @throws DomainError `busy` if the wait for the family exceeds the deadline
   */
  cancel(record: RecordRef, id: string, author: Author, deadline?: Deadline): Promise<JobState | null>;
}
