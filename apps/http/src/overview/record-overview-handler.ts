import { presenter, recordOverview } from '@plugin-config/contract';
import {
  readRecordOverview,
  type ActivityLog,
  type DeliverySeries,
  type IncidentStore,
  type RecordOverview,
  type ReportedErrors,
  type RuntimeStore,
} from '@plugin-config/domain';
import { accessOf, sendRead } from '@plugin-config/server';
import type { HandlerOf } from '../endpoints/handler.ts';

export interface RecordOverviewDependencies {
  readonly deliveries: DeliverySeries;
  readonly errors: ReportedErrors;
  readonly incidents: IncidentStore;
  readonly runtimes: RuntimeStore;
  readonly activity: ActivityLog;
}

export function recordOverviewHandler(
  ports: RecordOverviewDependencies,
): HandlerOf<'retrieveRecordOverview'> {
  return async ({ request, reply, record }) => {
    const found = await readRecordOverview(ports, record, accessOf(request).at);
    await sendRead(reply, presentRecordOverview(found));
  };
}

const presentRecordOverview = presenter(recordOverview, {
  incidents: ({ incidents }: RecordOverview) => ({ open: incidents.count, newest: incidents.items }),
  changes: ({ changes }: RecordOverview) => changes.map(({ at, ...entry }) => ({ ...entry, createdAt: at })),
});
