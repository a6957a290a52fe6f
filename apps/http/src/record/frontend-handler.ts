import type { recordWorkEndpoints } from '@plugin-config/contract';
import { frontendView, recordNotFound, type ConfigRecordStore } from '@plugin-config/domain';
import { sendRead } from '@plugin-config/server';
import type { Handler } from '../endpoints/handler.ts';
import { presentRecord } from './present-record.ts';

export function frontendHandler({
  records,
}: {
  readonly records: ConfigRecordStore;
}): Handler<(typeof recordWorkEndpoints)['retrieveFrontend']> {
  return async ({ reply, record }) => {
    const stored = await records.configuration(record);
    if (stored === null) throw recordNotFound();
    await sendRead(reply, presentRecord(frontendView(stored)));
  };
}
