import { bucketRange, LAST_DAY, startsIn } from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
import type { FamilyRef } from '../project/family.ts';
import type { Deliveries } from './delivery-rate.ts';
import type { DeliverySeries, RecordBucket } from './delivery-series.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliverySeries, 'readHours'>;
  readonly clock: Clock;
}

/** The deliveries of each of the last 24 hours, including the current one. */
export interface RecentDeliveries {
  /** The start of the first hour. */
  readonly start: Date;
  /** The records with deliveries. Their hours are oldest first. */
  readonly records: readonly { readonly recordId: number; readonly hours: readonly Deliveries[] }[];
}

const NONE: Deliveries = { successes: 0, successesOnRetry: 0, failures: 0 };

/** Returns the deliveries of several records by hour. Ignores ids outside of the family. */
export async function readRecentDeliveries(
  { deliveries, clock }: Dependencies,
  family: FamilyRef,
  recordIds: readonly number[],
): Promise<RecentDeliveries> {
  const range = bucketRange(LAST_DAY, clock.now(), 'ceil');
  const buckets = await deliveries.readHours(family, recordIds, range);
  const hoursOf = (own: readonly RecordBucket[]): readonly Deliveries[] => {
    const byStart = new Map(own.map((bucket) => [bucket.start.getTime(), bucket]));
    return startsIn(range).map((start) => byStart.get(start) ?? NONE);
  };
  const records = [...Map.groupBy(buckets, ({ recordId }) => recordId)];
  return {
    start: new Date(range.from),
    records: records.map(([recordId, own]) => ({ recordId, hours: hoursOf(own) })),
  };
}
