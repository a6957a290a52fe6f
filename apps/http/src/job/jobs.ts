import { jobBody, type WireJob } from '@plugin-config/contract';
import { queueJob, recordNotFound, type Job, type JobStore, type Randomness } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressedRecord } from '../access/addressed.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { knownRecord } from '../config-record/change-records.ts';
import { recordAnswer } from '../config-record/present-record.ts';
import { recordPath } from '../config-record/record-path.ts';
import { bodyOf, checked } from '../requests/checked.ts';
import type { Origin } from '../requests/origin.ts';

export interface JobQueueing {
  readonly jobs: JobStore;
  readonly randomness: Randomness;
  readonly origin: Origin;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The answer is the record as it stands: the job is done in the background. */
export function postJob({ jobs, randomness, origin }: JobQueueing) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const work = checked(jobBody, bodyOf(request));
    const { known: record, precondition, author } = knownRecord(request);
    const job = await queueJob({ jobs, randomness }, { record, precondition, work, author });
    reply.header('location', `${origin(request)}${recordPath(record)}/jobs/${job.id}`);
    sendChanged(reply, recordAnswer(record));
  };
}

export function retrieveJob({ jobs }: Pick<JobQueueing, 'jobs'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const record = addressedRecord(request);
    const { job_id: id } = request.params as { readonly job_id: string };
    const job = UUID.test(id) ? await jobs.find(record, id.toLowerCase()) : null;
    if (job === null) throw recordNotFound();
    sendJson(reply, presentJob(job));
  };
}

function presentJob({ id, state, attempts, error, createdAt, startedAt, finishedAt }: Job): WireJob {
  return {
    id,
    state,
    attempts,
    error,
    created_at: createdAt.toISOString(),
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
