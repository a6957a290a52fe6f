import { queueJob, type ConfigRecord, type QueuedJob, type RecordChange } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import type { TestBed } from './test-bed.ts';

/** Queues a job that changes a record. */
export function queueChange(
  { ports }: TestBed,
  record: ConfigRecord,
  change: RecordChange,
): Promise<QueuedJob> {
  const author = { ...anAuthor(), at: ports.clock.now() };
  return queueJob(ports, { record, precondition: null, job: { type: null, work: change }, author });
}
