import type { recordWorkEndpoints } from '@plugin-config/contract';
import { activityHandler, type ActivityReading } from '../activity/activity.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { queueJobHandler, retrieveJobHandler, type JobQueueing } from '../job/jobs.ts';
import { logHandler, type LogReading } from '../log/log-handler.ts';
import { frontendHandler } from './frontend.ts';
import type { RecordReading } from './list-records.ts';

/** What else there is about a record: its history, its view for browsers, its jobs, its log. */
export function recordWorkHandlers(
  dependencies: ActivityReading & JobQueueing & LogReading & Pick<RecordReading, 'records'>,
): Handlers<typeof recordWorkEndpoints> {
  return {
    retrieveActivity: activityHandler(dependencies),
    retrieveFrontend: frontendHandler(dependencies),
    queueJob: queueJobHandler(dependencies),
    retrieveJob: retrieveJobHandler(dependencies),
    listLogs: logHandler(dependencies),
  };
}
