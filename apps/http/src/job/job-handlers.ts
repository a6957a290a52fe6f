import type { subresourceEndpoints, WireJob, WireJobPage } from '@plugin-config/contract';
import {
  cancelJob,
  queueJob,
  queueJobOnce,
  notFound,
  type QueuedJob,
  type JobStore,
  type ListedJob,
  type Randomness,
} from '@plugin-config/domain';
import { sendRead, sendNothing } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { listAddress, pageBody } from '../responses/page-links.ts';
import { replayed } from '../responses/send-response.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from '../record/present-record.ts';
import type { Handler } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { pathUuid } from '../requests/path-id.ts';
import type { MakeOncePerKey } from '../requests/once-per-key.ts';

export interface JobDependencies {
  readonly jobs: JobStore;
  readonly randomness: Randomness;
  readonly baseUrl: BaseUrl;
  readonly oncePerKey: MakeOncePerKey;
}

/** Queues a job, which runs in the background, and returns the record, which has not changed yet. */
export function queueJobHandler({
  jobs,
  randomness,
  baseUrl,
  oncePerKey,
}: JobDependencies): Handler<(typeof subresourceEndpoints)['queueJob']> {
  const dependencies = { jobs, randomness };
  const once = oncePerKey<QueuedJob>();
  return async ({ request, reply, record, precondition, key, author, deadline, body: work }) => {
    const command = { record, precondition, work, author, deadline };
    const origin = baseUrl(request);
    reserveChangedRecord(reply, record, 0);
    if (key === null) {
      const { id: jobId } = await queueJob(dependencies, command);
      sendQueued(reply, { jobId, record }, origin);
    } else {
      const idempotencyKey = { ...key, origin };
      const first = await once(idempotencyKey, deadline, () =>
        queueJobOnce(dependencies, command, idempotencyKey),
      );
      sendQueued(replayed(reply, first), first.value, first.origin);
    }
  };
}

function sendQueued(reply: FastifyReply, { jobId, record }: QueuedJob, origin: string): void {
  reply.header('location', `${origin}${recordPath(record)}/jobs/${jobId}`);
  sendChangedRecord(reply, record);
}

export function retrieveJobHandler({
  jobs,
}: Pick<JobDependencies, 'jobs'>): Handler<(typeof subresourceEndpoints)['retrieveJob']> {
  return async ({ request, reply, record }) => {
    const job = await jobs.find(record, pathUuid(request, 'job_id'));
    if (job === null) throw notFound();
    await sendRead(reply, presentJob(job));
  };
}

export function listJobsHandler({
  jobs,
  baseUrl,
}: Pick<JobDependencies, 'jobs' | 'baseUrl'>): Handler<(typeof subresourceEndpoints)['listJobs']> {
  return async ({ request, reply, record, query: { limit, offset, ...filter } }) => {
    const page = { limit, offset };
    const found = await jobs.page(record, filter, page);
    const body: WireJobPage = pageBody(listAddress(baseUrl, request), page, found, presentJob);
    await sendRead(reply, body);
  };
}

export function cancelJobHandler({
  jobs,
}: Pick<JobDependencies, 'jobs'>): Handler<(typeof subresourceEndpoints)['cancelJob']> {
  return async ({ request, reply, record, author, deadline }) => {
    await cancelJob({ jobs }, { record, id: pathUuid(request, 'job_id'), author, deadline });
    sendNothing(reply);
  };
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
