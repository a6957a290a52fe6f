import { bucketRange, type BucketQuery } from '../kernel/bucket-range.ts';
import type { Clock } from '../kernel/clock.ts';
import type { RecordRef } from '../project/family.ts';
import type { DeliveryBucket, DeliverySeries } from './delivery-series.ts';
import { BUCKET_MS } from '../vocabulary/vocabulary.ts';

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
  const now = clock.now();
  const buckets = await deliveries.read(record, bucketRange(query, now, 'ceil'));
  const width = BUCKET_MS[query.granularity];
  return buckets.map((bucket) => ({ ...bucket, complete: bucket.start.getTime() + width <= now.getTime() }));
}
