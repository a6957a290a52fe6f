import type { RecordRef } from '../project/family.ts';
import type { Precondition } from '../kernel/precondition.ts';
import type { Patience } from '../sharing/patience.ts';
import type { Job } from './job.ts';

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
}
