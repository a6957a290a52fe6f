import type { subresourceEndpoints, WireDeliverySeries, WireRecentDeliveries } from '@plugin-config/contract';
import { readDeliveries, readRecentDeliveries, type Clock, type DeliverySeries } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { Handler } from '../endpoints/handler.ts';

export interface DeliveryDependencies {
  readonly deliveries: DeliverySeries;
  readonly clock: Clock;
}

export function deliveryHandler(
  dependencies: DeliveryDependencies,
): Handler<(typeof subresourceEndpoints)['retrieveDeliveries']> {
  return async ({ reply, record, query }) => {
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
  };
}

export function recentDeliveriesHandler(
  dependencies: DeliveryDependencies,
): Handler<(typeof subresourceEndpoints)['retrieveRecentDeliveries']> {
  return async ({ reply, family, query: { recordIds } }) => {
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
  };
}
