import type { subresourceEndpoints } from '@plugin-config/contract';
import { activityHandler, type ActivityDependencies } from '../activity/activity-handler.ts';
import { deliveryHandlers, type DeliveryDependencies } from '../delivery/delivery-handlers.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { jobHandlers, type JobDependencies } from '../job/job-handlers.ts';
import { logHandlers, type LogDependencies } from '../log/log-handlers.ts';
import {
  recordOverviewHandler,
  type RecordOverviewDependencies,
} from '../overview/record-overview-handler.ts';
import type { ReadDependencies } from './list-handler.ts';
import { frontendHandler } from './retrieve-handler.ts';

export function subresourceHandlers(
  dependencies: ActivityDependencies &
    DeliveryDependencies &
    JobDependencies &
    LogDependencies &
    RecordOverviewDependencies &
    Pick<ReadDependencies, 'records'>,
): Handlers<typeof subresourceEndpoints> {
  return {
    ...deliveryHandlers(dependencies),
    ...jobHandlers(dependencies),
    ...logHandlers(dependencies),
    retrieveActivity: activityHandler(dependencies),
    retrieveRecordOverview: recordOverviewHandler(dependencies),
    retrieveFrontend: frontendHandler(dependencies),
  };
}
