import {
  deliveryBucket,
  errorCursor,
  failedDelivery,
  presenter,
  projectError,
  recentDeliveries,
  reportedError,
} from '@plugin-config/contract';
import {
  filteredPluginId,
  readDeliveries,
  readRecentDeliveries,
  type ReportedError,
} from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { cursorLinks, listAddress, sendPage } from '../responses/page-links.ts';
import type { HandlerOf, HandlersOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

export function deliveryHandlers(
  dependencies: Services,
): HandlersOf<'retrieveDeliveries' | 'listFailedDeliveries' | 'retrieveRecentDeliveries'> {
  return {
    retrieveDeliveries: async ({ reply, record, query }) => {
      const buckets = await readDeliveries(dependencies, record, query);
      await sendRead(reply, { results: buckets.map(presentBucket) });
    },

    listFailedDeliveries: async ({ reply, record, query: { limit, offset, ...filter } }) => {
      const page = { limit, offset };
      const found = await dependencies.deliveries.failed(record, filter, page);
      await sendPage({ reply, baseUrl: dependencies.baseUrl, page }, found, presentFailed);
    },

    retrieveRecentDeliveries: async ({ reply, family, query: { recordIds } }) => {
      const { start, records } = await readRecentDeliveries(dependencies, family, recordIds);
      const results = records.map(({ recordId, hours }) => ({
        record: recordId,
        successes: hours.map(({ successes, successesOnRetry }) => successes + successesOnRetry),
        failures: hours.map(({ failures }) => failures),
      }));
      await sendRead(reply, presentRecent({ start, results }));
    },
  };
}

/** Returns one page of the errors of a family. */
export function reportedErrorsHandler({ errors, baseUrl }: Services): HandlerOf<'listErrors'> {
  return async ({ reply, family, query: { recordId, ...page } }) => {
    const found = await errors.page(family, recordId, page);
    await sendPage({ reply, baseUrl, page }, found, presentError);
  };
}

/** Returns one page of the errors of all projects. */
export function projectErrorsHandler({ errors, plugins, baseUrl }: Services): HandlerOf<'listProjectErrors'> {
  return async ({ request, reply, query }) => {
    const plugin = await filteredPluginId({ plugins }, query.plugin);
    const { count, items, hasMore } = await errors.pageOfAll({ ...query, plugin });
    const last = hasMore ? items.at(-1) : undefined;
    const next = last === undefined ? null : errorCursor(last);
    const links = cursorLinks(listAddress(baseUrl, request), 'after', query, next);
    await sendRead(reply, { count, ...links, results: items.map((item) => presentProjectError(item)) });
  };
}

const presentFailed = presenter(failedDelivery);
const presentBucket = presenter(deliveryBucket);
const presentRecent = presenter(recentDeliveries);
const presentProjectError = presenter(projectError, { reported_at: ({ at }: ReportedError) => at });
const presentError = presenter(reportedError, {
  record: ({ recordId }: ReportedError) => recordId,
  reported_at: ({ at }: ReportedError) => at,
});
