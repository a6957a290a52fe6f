import {
  INSTANCE_NAME,
  presenter,
  projectRuntime,
  runtime,
  type PathParams,
  type runtimeEndpoints,
} from '@plugin-config/contract';
import {
  boundReport,
  DomainError,
  filteredPluginId,
  invalidInput,
  isOnline,
  notFound,
  parseFeedCursor,
  versionIfSendable,
  type FamilyRef,
  type RuntimeInstance,
  type RuntimeReport,
  type RuntimeScope,
} from '@plugin-config/domain';
import { accessOf, sendNothing } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';
import { sendPage } from '../responses/page-links.ts';
import { readOnTimeline } from '../responses/timeline.ts';
import type { HandlerOf, Handlers } from '../endpoints/handler.ts';
import { pluginJobHandlers } from '../job/plugin-job-handlers.ts';
import { projectFeedHandlers } from './project-feed-handlers.ts';
import { runtimeFeedHandler, scopeOf } from './runtime-feed-handler.ts';
import { writeBackHandler } from './write-back-handler.ts';
import type { Services } from '../services.ts';

/** The handlers for plugin runtimes. */
export function runtimeHandlers(services: Services): Handlers<typeof runtimeEndpoints> {
  const { runtimes, baseUrl, versions } = services;
  /**
   * Returns the version of the whole family if the runtime has the current version of the records its key can read. Both then
   * stay current until the next report, which is due in a minute.
   */
  const wholeVersion = async (
    request: FastifyRequest,
    family: FamilyRef,
    { version }: Pick<RuntimeReport, 'version'>,
  ): Promise<string> => {
    const access = accessOf(request);
    const read = (scope: RuntimeScope) => versionIfSendable(() => versions(request).at(scope, access));
    if (version !== (await read(scopeOf(request, family)))) return version;
    return (await read(family)) ?? version;
  };
  return {
    retrieveRuntime: runtimeFeedHandler(services),
    ...projectFeedHandlers(services),
    writeBack: writeBackHandler(services),
    ...pluginJobHandlers(services),

    reportRuntime: async ({ request, reply, family, body }) => {
      const instance = instanceOf(request);
      if (instance === null) throw invalidName();
      const access = accessOf(request);
      const { pluginIds } = access.key;
      const report = boundReport(body);
      const version = pluginIds.length === 0 ? report.version : await wholeVersion(request, family, report);
      await runtimes.report({ family, instance, pluginIds, report: { ...report, version }, at: access.at });
      sendNothing(reply);
    },

    reportHost: async ({ request, reply, family: { family }, body }) => {
      const instance = instanceOf(request);
      if (instance === null) throw invalidName();
      const { key, at, timeline } = accessOf(request);
      const { cursor: text, failed, ...report } = boundReport(body);
      const cursor = readOnTimeline(timeline, text, parseFeedCursor);
      if (cursor === 'malformed') throw invalidInput('cursor', 'This is not a cursor of the feed.');
      const { shard, since } = cursor === 'unknown' ? UNKNOWN : cursor;
      const ofProjects = failed.map(({ project_id: projectId, ...record }) => ({ projectId, ...record }));
      await runtimes.reportHost({
        family,
        instance,
        key,
        shard,
        since,
        report: { ...report, failed: ofProjects },
        at,
      });
      sendNothing(reply);
    },

    listRuntimes: async ({ request, reply, family, query: page }) => {
      const access = accessOf(request);
      const found = await runtimes.page(family, page);
      const current = () => versions(request).at(family, access);
      const hasRuntimes = found.items.some((instance) => instance.version !== null);
      const version = hasRuntimes ? await versionIfSendable(current) : null;
      await sendPage({ reply, baseUrl, page }, found, (instance) =>
        presentRuntime({
          ...instance,
          current: instance.version === null ? instance.hasReadAll : instance.version === version,
          online: isOnline(instance, access.at),
        }),
      );
    },

    forgetRuntime: async ({ request, reply, family }) => {
      const instance = instanceOf(request);
      if (instance === null || !(await runtimes.forget(family, instance))) throw notFound();
      sendNothing(reply);
    },
  };
}

/** Lists the runtimes of all projects. */
export function projectRuntimesHandler({
  runtimes,
  plugins,
  baseUrl,
}: Services): HandlerOf<'listProjectRuntimes'> {
  return async ({ request, reply, query: { plugin, ...page } }) => {
    const { at } = accessOf(request);
    const found = await runtimes.pageOfAll(await filteredPluginId({ plugins }, plugin), page);
    await sendPage({ reply, baseUrl, page }, found, (instance) =>
      presentProjectRuntime({ ...instance, online: isOnline(instance, at) }),
    );
  };
}
/** No project of a host is known to be current if its cursor is from an earlier timeline. */
const UNKNOWN = { shard: null, since: null };

const LIMITS = {
  plugin_ids: ({ pluginIds }: Pick<RuntimeInstance, 'pluginIds'>) =>
    pluginIds.length === 0 ? null : pluginIds,
};

const presentRuntime = presenter(runtime, LIMITS);
const presentProjectRuntime = presenter(projectRuntime, LIMITS);

/** Returns the name of the runtime in the path; null if it is invalid. */
function instanceOf(request: FastifyRequest): string | null {
  const { instance = '' } = request.params as PathParams;
  return INSTANCE_NAME.test(instance) ? instance : null;
}

function invalidName(): DomainError {
  const message =
    'The name of a runtime consists of 1 to 128 letters, digits, dots, underscores and hyphens.';
  return new DomainError('invalid_input', message, { attr: 'instance' });
}
