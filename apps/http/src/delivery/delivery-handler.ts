import type { subresourceEndpoints, WireDeliverySeries } from '@plugin-config/contract';
import { readDeliveries, type Clock, type DeliverySeries } from '@plugin-config/domain';
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
