import type { Author } from '../activity/activity-entry.ts';
import type { RecordRef } from '../project/family.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Precondition } from '../kernel/precondition.ts';
import type { Patience } from '../sharing/patience.ts';
import type { Job, JobState, ListedJob } from './job.ts';

export interface JobFilter {
  /** Null for jobs of any state. */
  readonly state: JobState | null;
}

export interface JobStore {
  /**
   * Queues it, together with the activity entry `job_queued`, whose author is the job's own and which tells no
   * changes. Raises the family's revision, but no version.
   * @throws DomainError `stale_version` where the record has none of the versions of the precondition, `busy` where it
   * waited for its turn for longer than the patience
   */
  queue(job: Job, precondition: Precondition, patience?: Patience): Promise<void>;
  /** A job of this record. */
  find(record: RecordRef, id: string): Promise<Job | null>;
  /** The jobs of this record, newest first. What counts for the bytes of a page are the errors. */
  page(record: RecordRef, filter: JobFilter, page: PageRequest): Promise<Page<ListedJob>>;
  /**
   * Ends a job of this record in the state `cancelled` if it is queued, together with the activity entry `job_cancelled`,
   * and raises the family's revision; else it changes nothing. Resolves to the state in which it found the job, null
   * where there is none. Of a claim and a cancellation at the same time exactly one wins.
   * @throws DomainError `busy` where it waited for its turn for longer than the patience
   */
  cancel(record: RecordRef, id: string, author: Author, patience?: Patience): Promise<JobState | null>;
}
