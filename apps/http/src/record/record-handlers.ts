import type { recordEndpoints } from '@plugin-config/contract';
import { familyActivityHandler, type ActivityDependencies } from '../activity/activity-handler.ts';
import { reportedErrorsHandler, type ErrorDependencies } from '../delivery/reported-errors-handler.ts';
import type { Handlers } from '../endpoints/handler.ts';
import {
  createHandler,
  deleteHandler,
  configurationHandler,
  replaceHandler,
  updateHandler,
  type ChangeDependencies,
} from './change-handlers.ts';
import { listHandler, type ReadDependencies } from './list-handler.ts';
import { rearrangeHandler } from './rearrange-handler.ts';
import { retrieveHandler } from './retrieve-handler.ts';

export function recordHandlers(
  dependencies: ActivityDependencies & ErrorDependencies & ChangeDependencies & ReadDependencies,
): Handlers<typeof recordEndpoints> {
  return {
    listRecords: listHandler(dependencies),
    listActivity: familyActivityHandler(dependencies),
    listErrors: reportedErrorsHandler(dependencies),
    createRecord: createHandler(dependencies),
    rearrangeRecords: rearrangeHandler(dependencies),
    retrieveRecord: retrieveHandler(dependencies),
    updateRecord: updateHandler(dependencies),
    replaceRecord: replaceHandler(dependencies),
    deleteRecord: deleteHandler(dependencies),
    setConfiguration: configurationHandler(dependencies),
  };
}
