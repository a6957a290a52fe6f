import { job, presenter, type subresourceEndpoints } from '@plugin-config/contract';
import {
  cancelJob,
  notFound,
  queueJob,
  withPluginId,
  type JobStore,
  type PluginStore,
  type Randomness,
} from '@plugin-config/domain';
import { sendRead, sendNothing } from '@plugin-config/server';
import { sendPage } from '../responses/page-links.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from '../record/present-record.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { pathUuid } from '../requests/path-id.ts';

export interface JobDependencies {
  readonly jobs: JobStore;
  readonly plugins: Pick<PluginStore, 'idsOf'>;
  readonly randomness: Randomness;
  readonly baseUrl: BaseUrl;
}

type Endpoints = Pick<typeof subresourceEndpoints, 'queueJob' | 'listJobs' | 'retrieveJob' | 'cancelJob'>;

export function jobHandlers({ jobs, plugins, randomness, baseUrl }: JobDependencies): Handlers<Endpoints> {
  const dependencies = { jobs, randomness };
  return {
    /** Queues a job, which runs in the background, and returns the record, which has not changed yet. */
    queueJob: async ({ request, reply, record, precondition, author, deadline, body }) => {
      const change = await withPluginId({ plugins }, body);
      const command = { record, precondition, change, author, deadline };
      reserveChangedRecord(reply, record, 0);
      const { jobId, record: queued } = await queueJob(dependencies, command);
      sendChangedRecord(reply, queued, `${baseUrl(request)}${recordPath(queued)}/jobs/${jobId}`);
    },

    listJobs: async ({ reply, record, query: { limit, offset, ...filter } }) => {
      const page = { limit, offset };
      const found = await jobs.page(record, filter, page);
      await sendPage({ reply, baseUrl, page }, found, presentJob);
    },

    retrieveJob: async ({ request, reply, record }) => {
      const found = await jobs.find(record, pathUuid(request, 'job_id'));
      if (found === null) throw notFound();
      await sendRead(reply, presentJob(found));
    },

    cancelJob: async ({ request, reply, record, author, deadline }) => {
      await cancelJob({ jobs }, { record, id: pathUuid(request, 'job_id'), author, deadline });
      sendNothing(reply);
    },
  };
}

const presentJob = presenter(job);
