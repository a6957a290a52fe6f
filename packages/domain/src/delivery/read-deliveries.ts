import { bucketRange, type BucketQuery, type BucketRange } from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { RecordRef } from '../project/family.ts';
import type { DeliveryBucket, DeliverySeries } from './delivery-series.ts';
import { BUCKET_MS } from '../vocabulary/vocabulary.ts';

/** How far back minutes can be read: a day, plus some slack for the request itself. */
const MINUTES_READ_MS = DAY_MS + 2 * BUCKET_MS.minute;

interface Dependencies {
  readonly deliveries: Pick<DeliverySeries, 'read'>;
  readonly clock: Clock;
}

export interface ShownBucket extends DeliveryBucket {
  /** Whether the bucket has ended. */
  readonly complete: boolean;
}

/**
 * Returns the deliveries of a record over time.
 * @throws DomainError `invalid_input` if the range is empty or too large
 */
export async function readDeliveries(
  { deliveries, clock }: Dependencies,
  record: RecordRef,
  query: BucketQuery,
): Promise<readonly ShownBucket[]> {
  const now = clock.now().getTime();
  const buckets = await deliveries.read(record, rangeOf(query, now));
  const width = BUCKET_MS[query.granularity];
  return buckets.map((bucket) => ({ ...bucket, complete: bucket.start.getTime() + width <= now }));
}

/** Selects the buckets that start at `from` or later, and before `to`. */
function rangeOf(query: BucketQuery, now: number): BucketRange {
  const begin = query.from?.getTime() ?? (query.to?.getTime() ?? now) - DAY_MS;
  if (query.granularity === 'minute' && begin < now - MINUTES_READ_MS) {
    throw invalidInput(
      'from',
      'Minutes are kept for the last 24 hours: use a later `from`, or wider buckets.',
    );
  }
  return bucketRange(query, now, 'ceil');
}
