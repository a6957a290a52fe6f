import {
  BUCKET_MS,
  bucketRange,
  outOfRange,
  type AskedBuckets,
  type BucketRange,
} from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { RecordRef } from '../project/family.ts';
import type { DeliveryBucket, DeliverySeries } from './delivery-series.ts';

/** How far back minutes can be read: a little more than a day, for the time that a request takes. */
const MINUTES_READ_MS = DAY_MS + 2 * BUCKET_MS.minute;

interface Dependencies {
  readonly deliveries: DeliverySeries;
  readonly clock: Clock;
}

export interface ShownBucket extends DeliveryBucket {
  /** False while the time of the bucket is not over. */
  readonly complete: boolean;
}

/** Reads the deliveries of a record over time. @throws DomainError `invalid_input` if the range is empty or too large */
export async function readDeliveries(
  { deliveries, clock }: Dependencies,
  record: RecordRef,
  asked: AskedBuckets,
): Promise<readonly ShownBucket[]> {
  const now = clock.now().getTime();
  const buckets = await deliveries.read(record, rangeOf(asked, now));
  const width = BUCKET_MS[asked.granularity];
  return buckets.map((bucket) => ({ ...bucket, complete: bucket.start.getTime() + width <= now }));
}

/** The asked buckets: those that start at `from` or later, and before `to`. */
function rangeOf(asked: AskedBuckets, now: number): BucketRange {
  const begin = asked.from?.getTime() ?? (asked.to?.getTime() ?? now) - DAY_MS;
  if (asked.granularity === 'minute' && begin < now - MINUTES_READ_MS) {
    throw outOfRange('from', 'Minutes are kept for the last 24 hours: begin later, or ask for hours.');
  }
  return bucketRange(asked, now, 'ceil');
}
