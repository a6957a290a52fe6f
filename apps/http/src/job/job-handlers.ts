import type { recordWorkEndpoints, WireJob, WireJobPage } from '@plugin-config/contract';
import {
  cancelJob,
  queueJob,
  recordNotFound,
  type JobStore,
  type ListedJob,
  type Randomness,
} from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { authorOf } from '../access/addressed.ts';
import { pageLinks } from '../answers/page-links.ts';
import { sendChanged } from '../answers/send-answer.ts';
import { listAddress } from '../requests/list-address.ts';
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
    const job = await jobs.find(record, jobId(request));
    if (job === null) throw recordNotFound();
    await sendRead(reply, presentJob(job));
  };
}

export function listJobsHandler({
  jobs,
  baseUrl,
}: Pick<JobDependencies, 'jobs' | 'baseUrl'>): Handler<(typeof recordWorkEndpoints)['listJobs']> {
  return async ({ request, reply, record, query: { limit, offset, ...filter } }) => {
    const page = { limit, offset };
    const found = await jobs.page(record, filter, page);
    const links = pageLinks(listAddress(baseUrl, request), page, found);
    const body: WireJobPage = { count: found.count, ...links, results: found.items.map(presentJob) };
    await sendRead(reply, body);
  };
}

export function cancelJobHandler({
  jobs,
}: Pick<JobDependencies, 'jobs'>): Handler<(typeof recordWorkEndpoints)['cancelJob']> {
  return async ({ request, reply, record }) => {
    const id = jobId(request);
    await cancelJob({ jobs }, { record, id, author: authorOf(request), patience: patienceOf(request) });
    reply.code(204).header('cache-control', 'no-store').send();
  };
}

/** The id of the job in the path. What is no UUID is the id of no job: 404. */
function jobId({ params }: FastifyRequest): string {
  const { job_id: id } = params as { readonly job_id: string };
  if (!UUID.test(id)) throw recordNotFound();
  return id.toLowerCase();
}

function presentJob({ id, state, attempts, error, createdAt, startedAt, finishedAt }: ListedJob): WireJob {
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
