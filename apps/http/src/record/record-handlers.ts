import type { recordEndpoints } from '@plugin-config/contract';
import { familyActivityHandler, type ActivityDependencies } from '../activity/activity-handler.ts';
import { reportedErrorsHandler, type ErrorDependencies } from '../delivery/delivery-handlers.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { changeHandlers, type ChangeDependencies } from './change-handlers.ts';
import { listHandler, type ReadDependencies } from './list-handler.ts';
import { rearrangeHandler } from './rearrange-handler.ts';
import { retrieveHandler } from './retrieve-handler.ts';

export function recordHandlers(
  dependencies: ActivityDependencies & ErrorDependencies & ChangeDependencies & ReadDependencies,
): Handlers<typeof recordEndpoints> {
  return {
    ...changeHandlers(dependencies),
    listRecords: listHandler(dependencies),
    listActivity: familyActivityHandler(dependencies),
    listErrors: reportedErrorsHandler(dependencies),
    rearrangeRecords: rearrangeHandler(dependencies),
    retrieveRecord: retrieveHandler(dependencies),
  };
}
