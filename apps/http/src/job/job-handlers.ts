import type { recordWorkEndpoints, WireJob } from '@plugin-config/contract';
import { queueJob, recordNotFound, type Job, type JobStore, type Randomness } from '@plugin-config/domain';
import { sendJson } from '@plugin-config/server';
import { authorOf } from '../access/addressed.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { patienceOf } from '../requests/patience-of.ts';
import { recordAnswer } from '../record/present-record.ts';
import { recordPath } from '../record/record-path.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface JobDependencies {
  readonly jobs: JobStore;
  readonly randomness: Randomness;
  readonly baseUrl: BaseUrl;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Queues a job and answers with the unchanged record: the job runs in the background. */
export function queueJobHandler({
  jobs,
  randomness,
  baseUrl,
}: JobDependencies): Handler<(typeof recordWorkEndpoints)['queueJob']> {
  return async ({ request, reply, record, precondition, body: work }) => {
    const command = { record, precondition, work, author: authorOf(request), patience: patienceOf(request) };
    const job = await queueJob({ jobs, randomness }, command);
    reply.header('location', `${baseUrl(request)}${recordPath(record)}/jobs/${job.id}`);
    sendChanged(reply, recordAnswer(record));
  };
}

export function retrieveJobHandler({
  jobs,
}: Pick<JobDependencies, 'jobs'>): Handler<(typeof recordWorkEndpoints)['retrieveJob']> {
  return async ({ request, reply, record }) => {
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
