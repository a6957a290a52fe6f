import type { recordEndpoints } from '@plugin-config/contract';
import type { Handlers } from '../endpoints/handler.ts';
import {
  createHandler,
  deleteHandler,
  configurationHandler,
  updateHandler,
  type RecordChanging,
} from './change-records.ts';
import { listHandler, type RecordReading } from './list-records.ts';
import { rearrangeHandler } from './rearrange.ts';
import { retrieveHandler } from './retrieve-record.ts';

/** Reading and changing records. */
export function recordHandlers(
  dependencies: RecordChanging & RecordReading,
): Handlers<typeof recordEndpoints> {
  return {
    listRecords: listHandler(dependencies),
    createRecord: createHandler(dependencies),
    rearrangeRecords: rearrangeHandler(dependencies),
    retrieveRecord: retrieveHandler(dependencies),
    updateRecord: updateHandler(dependencies),
    deleteRecord: deleteHandler(dependencies),
    setConfiguration: configurationHandler(dependencies),
  };
}
