import { job, jobWithOutput, presenter } from '@plugin-config/contract';
import {
  cancelJob,
  checkMayCancel,
  checkMayQueue,
  notFound,
  pluginJob,
  queueJob,
  withPluginId,
} from '@plugin-config/domain';
import { accessOf, sendRead, sendNothing } from '@plugin-config/server';
import { sendPage } from '../responses/page-links.ts';
import { recordPath, reserveChangedRecord, sendChangedRecord } from '../record/present-record.ts';
import type { HandlersOf } from '../endpoints/handler.ts';
import { pathUuid } from '../requests/path-id.ts';
import { checkHandlers } from './check-handlers.ts';
import { onceEnded } from './once-ended.ts';
import type { Services } from '../services.ts';

export function jobHandlers(
  dependencies: Services,
): HandlersOf<'queueJob' | 'listJobs' | 'retrieveJob' | 'cancelJob' | 'queueCheck' | 'retrieveCheck'> {
  const { jobs, pluginJobs, plugins, jsonSchemas, baseUrl } = dependencies;
  return {
    ...checkHandlers(dependencies),

    /** Queues a job, which runs in the background, and returns the record, which has not changed yet. */
    queueJob: async ({ request, reply, record, precondition, author, deadline, body }) => {
      checkMayQueue(accessOf(request).key, body.job === null);
      const queued =
        body.job === null
          ? { type: null, work: await withPluginId({ plugins }, body.change) }
          : pluginJob(body.job, {
              id: record.plugin,
              plugin: (await plugins.registrationOf(record)).plugin,
              jsonSchemas,
            });
      const command = { record, precondition, job: queued, author, deadline };
      reserveChangedRecord(reply, record, 0);
      const { jobId, record: current } = await queueJob(dependencies, command);
      sendChangedRecord(reply, current, `${baseUrl(request)}${recordPath(current)}/jobs/${jobId}`);
    },

    listJobs: async ({ reply, record, query: { limit, offset, ...filter } }) => {
      const page = { limit, offset };
      const found = await jobs.page(record, filter, page);
      await sendPage({ reply, baseUrl, page }, found, presentJob);
    },

    retrieveJob: async ({ request, reply, record, query }) => {
      const id = pathUuid(request, 'job_id');
      const found = await onceEnded(dependencies, reply, {
        family: record,
        wait: query.wait,
        read: () => jobs.find(record, id),
      });
      if (found === null) throw notFound();
      const output = found.type === null ? null : await pluginJobs.output(found);
      await sendRead(reply, presentWithOutput({ ...found, output }));
    },

    cancelJob: async ({ request, reply, record, author, deadline }) => {
      const id = pathUuid(request, 'job_id');
      await checkMayCancel({ jobs }, { key: accessOf(request).key, record, id });
      const isAsked = await cancelJob({ jobs }, { record, id, author, deadline });
      if (isAsked) reply.code(202).header('cache-control', 'no-store').send();
      else sendNothing(reply);
    },
  };
}

const presentJob = presenter(job);
const presentWithOutput = presenter(jobWithOutput);
