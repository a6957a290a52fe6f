import { claimedJobs, presenter, renewedJob } from '@plugin-config/contract';
import {
  CHECK,
  claimJobs,
  endPluginJob,
  renewJob,
  takesFrom,
  type ClaimedJob,
  type Family,
  type OpenLane,
} from '@plugin-config/domain';
import { accessOf, sendJson, sendNothing } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import type { HandlersOf } from '../endpoints/handler.ts';
import { pathUuid } from '../requests/path-id.ts';
import { queriedPlugins } from '../runtime/queried-plugins.ts';
import type { Services } from '../services.ts';

/** The handlers of jobs for the runtimes that do them. */
export function pluginJobHandlers({
  waits,
  claims,
  ...dependencies
}: Services): HandlersOf<'claimJobs' | 'renewJob' | 'endJob'> {
  const { pluginJobs } = dependencies;
  const commandOf = (request: FastifyRequest, family: Family) => ({
    family,
    id: pathUuid(request, 'job_id'),
    key: accessOf(request).key,
  });
  return {
    claimJobs: async ({ request, reply, family: { family }, body }) => {
      const { key, admitAgain } = accessOf(request);
      const { instance, types, limit, lease_seconds: leaseSeconds } = body;
      const plugins = await queriedPlugins(dependencies, key, body.plugins.map(String));
      const filter = { family, key, plugins, types };
      const claim = (lanes: readonly OpenLane[]): Promise<readonly ClaimedJob[]> =>
        claimJobs(dependencies, { keyId: key.id, instance, lanes, limit, leaseSeconds });
      const open = (await pluginJobs.open([filter])).filter((lane) => takesFrom(filter, lane));
      let jobs = open.length === 0 ? [] : await claim(open);
      if (jobs.length === 0 && body.wait > 0) {
        const waiter = {
          filter,
          limit,
          claim: async (lanes: readonly OpenLane[]) => {
            // A key that was revoked during the wait gets no jobs.
            await admitAgain();
            return claim(lanes);
          },
        };
        jobs = await waits.during(reply, body.wait, (signal) => claims.wait(waiter, signal));
      }
      sendJson(reply, { jobs: jobs.map(presentClaimed) });
    },

    renewJob: async ({ request, reply, family: { family }, body }) => {
      const { lease_seconds: leaseSeconds, ...said } = body;
      const command = commandOf(request, family);
      sendJson(reply, presentRenewed(await renewJob(dependencies, command, { ...said, leaseSeconds })));
    },

    endJob: async ({ request, reply, family: { family }, body }) => {
      await endPluginJob(dependencies, commandOf(request, family), body);
      sendNothing(reply);
    },
  };
}

const presentJob = presenter(claimedJobs.shape.jobs.element);

function presentClaimed({ job, ...claimed }: ClaimedJob) {
  const { id, record, plugin, type, attempts } = job;
  return presentJob({
    ...claimed,
    id,
    projectId: record.projectId,
    recordId: type === CHECK ? null : record.id,
    plugin: plugin as number,
    type: type as string,
    attempt: attempts,
  });
}

const presentRenewed = presenter(renewedJob);
