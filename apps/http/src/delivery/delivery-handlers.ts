import type {
  recordEndpoints,
  subresourceEndpoints,
  WireDeliverySeries,
  WireRecentDeliveries,
  WireReportedErrorPage,
} from '@plugin-config/contract';
import {
  readDeliveries,
  readRecentDeliveries,
  type Clock,
  type DeliverySeries,
  type ReportedErrors,
} from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import { listAddress, pageBody } from '../responses/page-links.ts';
import type { Handler, Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';

export interface DeliveryDependencies {
  readonly deliveries: DeliverySeries;
  readonly clock: Clock;
}

type Endpoints = Pick<typeof subresourceEndpoints, 'retrieveDeliveries' | 'retrieveRecentDeliveries'>;

export function deliveryHandlers(dependencies: DeliveryDependencies): Handlers<Endpoints> {
  return {
    retrieveDeliveries: async ({ reply, record, query }) => {
      const buckets = await readDeliveries(dependencies, record, query);
      const body: WireDeliverySeries = {
        results: buckets.map(({ start, successes, successesOnRetry, failures, complete }) => ({
          start: start.toISOString(),
          successes,
          successes_on_retry: successesOnRetry,
          failures,
          complete,
        })),
      };
      await sendRead(reply, body);
    },

    retrieveRecentDeliveries: async ({ reply, family, query: { recordIds } }) => {
      const { start, records } = await readRecentDeliveries(dependencies, family, recordIds);
      const body: WireRecentDeliveries = {
        start: start.toISOString(),
        results: records.map(({ recordId, hours }) => ({
          record: recordId,
          successes: hours.map(({ successes, successesOnRetry }) => successes + successesOnRetry),
          failures: hours.map(({ failures }) => failures),
        })),
      };
      await sendRead(reply, body);
    },
  };
}

export interface ErrorDependencies {
  readonly errors: ReportedErrors;
  readonly baseUrl: BaseUrl;
}

/** Returns one page of the errors of a family. */
export function reportedErrorsHandler({
  errors,
  baseUrl,
}: ErrorDependencies): Handler<(typeof recordEndpoints)['listErrors']> {
  return async ({ request, reply, family, query: { recordId, ...page } }) => {
    const found = await errors.page(family, recordId, page);
    const body: WireReportedErrorPage = pageBody(listAddress(baseUrl, request), page, found, (reported) => ({
      record: reported.recordId,
      error: reported.error,
      reported_at: reported.at.toISOString(),
    }));
    await sendRead(reply, body);
  };
}
