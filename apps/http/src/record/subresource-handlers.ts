import type { subresourceEndpoints } from '@plugin-config/contract';
import { activityHandler, type ActivityDependencies } from '../activity/activity-handler.ts';
import {
  deliveryHandler,
  recentDeliveriesHandler,
  type DeliveryDependencies,
} from '../delivery/delivery-handler.ts';
import type { Handlers } from '../endpoints/handler.ts';
import {
  cancelJobHandler,
  listJobsHandler,
  queueJobHandler,
  retrieveJobHandler,
  type JobDependencies,
} from '../job/job-handlers.ts';
import {
  logCountsHandler,
  projectLogCountsHandler,
  type LogCountsDependencies,
} from '../log/log-counts-handlers.ts';
import { logEntryHandler, logHandler, type LogDependencies } from '../log/log-handler.ts';
import type { ReadDependencies } from './list-handler.ts';
import { frontendHandler } from './retrieve-handler.ts';

export function subresourceHandlers(
  dependencies: ActivityDependencies &
    DeliveryDependencies &
    JobDependencies &
    LogCountsDependencies &
    LogDependencies &
    Pick<ReadDependencies, 'records'>,
): Handlers<typeof subresourceEndpoints> {
  return {
    retrieveActivity: activityHandler(dependencies),
    retrieveFrontend: frontendHandler(dependencies),
    queueJob: queueJobHandler(dependencies),
    listJobs: listJobsHandler(dependencies),
    retrieveJob: retrieveJobHandler(dependencies),
    cancelJob: cancelJobHandler(dependencies),
    retrieveDeliveries: deliveryHandler(dependencies),
    retrieveRecentDeliveries: recentDeliveriesHandler(dependencies),
    listLogs: logHandler(dependencies),
    countLogs: logCountsHandler(dependencies),
    countProjectLogs: projectLogCountsHandler(dependencies),
    retrieveLogEntry: logEntryHandler(dependencies),
  };
}
