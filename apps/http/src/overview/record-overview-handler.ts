import { presenter, recordOverview } from '@plugin-config/contract';
import { readRecordOverview, type RecordOverview } from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import type { HandlerOf } from '../endpoints/handler.ts';
import type { Services } from '../services.ts';

export function recordOverviewHandler(ports: Services): HandlerOf<'retrieveRecordOverview'> {
  return async ({ request, reply, record }) => {
    const found = await readRecordOverview(ports, record, accessOf(request).at);
    await sendRead(reply, presentRecordOverview(found));
  };
}

const presentRecordOverview = presenter(recordOverview, {
  incidents: ({ incidents }: RecordOverview) => ({ open: incidents.count, newest: incidents.items }),
  changes: ({ changes }: RecordOverview) => changes.map(({ at, ...entry }) => ({ ...entry, createdAt: at })),
});
