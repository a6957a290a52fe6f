import {
  queueJob,
  type ConfigRecord,
  type Job,
  type JobWork,
  type Json,
  type ListedJob,
} from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import type { TestBed } from './test-bed.ts';

export function queueWork({ ports }: TestBed, record: ConfigRecord, work: JobWork): Promise<Job> {
  const author = { ...anAuthor(), at: ports.clock.now() };
  return queueJob(ports, { record, precondition: null, work, author });
}

/** Queues a job, and returns a function that reads its state. */
export async function queued(
  bed: TestBed,
  record: ConfigRecord,
  work: JobWork,
): Promise<() => Promise<ListedJob | null>> {
  const { id } = await queueWork(bed, record, work);
  return () => bed.ports.jobs.find(record, id);
}

export function taskOf(type: string, payload: Json = null): JobWork {
  return { kind: 'task', task: { type, payload, operation: null } };
}
