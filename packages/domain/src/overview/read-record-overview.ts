import type { ActivityEntry } from '../activity/activity-entry.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { IncidentStore, NamedIncident } from '../alert/incident.ts';
import type { DeliverySeries } from '../delivery/delivery-series.ts';
import { readDeliveries, type ShownBucket } from '../delivery/read-deliveries.ts';
import type { ReportedErrors } from '../delivery/reported-errors.ts';
import { LAST_DAY } from '../kernel/bucket-range.ts';
import type { Page } from '../kernel/page.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import { isOnline, type RuntimeStore } from '../runtime/runtime-instance.ts';
import { RECORD_OVERVIEW_MAX } from '../vocabulary/vocabulary.ts';

/** A runtime that could not apply a record. */
export interface FailingRuntime {
  readonly instance: string;
  readonly online: boolean;
  readonly lastSeenAt: Date;
  /** Why it could not. */
  readonly error: string;
}

export interface RecordOverview {
  /** The last 24 hours with reports, oldest first. */
  readonly deliveries: readonly ShownBucket[];
  /** When the error that the record shows was reported; null if it shows none. */
  readonly errorReportedAt: Date | null;
  /** The newest open incidents; `count` is that of all. */
  readonly incidents: Page<NamedIncident>;
  /** The first of the runtimes that could not apply the record, by name. */
  readonly runtimes: readonly FailingRuntime[];
  readonly changes: readonly ActivityEntry[];
}

interface Dependencies {
  readonly deliveries: Pick<DeliverySeries, 'read'>;
  readonly errors: Pick<ReportedErrors, 'page'>;
  readonly incidents: IncidentStore;
  readonly runtimes: Pick<RuntimeStore, 'page'>;
  readonly activity: Pick<ActivityLog, 'page'>;
}

const first = (limit: number) => ({ limit, offset: 0 });

/** Summarises a record for its page. Reads sequentially, so a caller occupies only one connection. */
export async function readRecordOverview(
  { deliveries, errors, incidents, runtimes, activity }: Dependencies,
  record: ConfigRecord,
  at: Date,
): Promise<RecordOverview> {
  const { id, projectId } = record;
  const reported = record.error === null ? [] : (await errors.page(record, id, first(1))).items;
  const open = { alertId: null, recordId: id, plugin: null, open: true };
  const failing = await runtimes.page(record, first(RECORD_OVERVIEW_MAX.runtimes), id);
  return {
    deliveries: await readDeliveries({ deliveries, clock: { now: () => at } }, record, LAST_DAY),
    errorReportedAt: reported[0]?.at ?? null,
    incidents: await incidents.page(projectId, open, first(RECORD_OVERVIEW_MAX.incidents)),
    runtimes: failing.items.map(({ failed, instance, lastSeenAt }) => ({
      instance,
      lastSeenAt,
      online: isOnline({ lastSeenAt }, at),
      error: failed.find((one) => one.id === id)?.error ?? '',
    })),
    changes: (await activity.page(record, first(RECORD_OVERVIEW_MAX.changes))).items,
  };
}
