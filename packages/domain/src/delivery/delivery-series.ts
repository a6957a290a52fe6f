import { BUCKET_MS, type BucketRange } from '../kernel/bucket-range.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { RecordRef } from '../project/family.ts';
import type { Deliveries } from './delivery-rate.ts';

/** A report that is older than this changes its hour and its day, and no minute. */
export const MINUTES_COUNTED_MS = DAY_MS + BUCKET_MS.hour;
/** The age at which a minute is deleted. No report can still change it then. */
export const MINUTES_KEPT_MS = MINUTES_COUNTED_MS + BUCKET_MS.hour;

/** The deliveries that were reported for a minute, an hour or a day. */
export interface DeliveryBucket extends Deliveries {
  readonly start: Date;
}

/** The reported deliveries over time: the sums of all counted reports. */
export interface DeliverySeries {
  /** The buckets with reports, oldest first. Minutes are complete if they are younger than `MINUTES_COUNTED_MS`. */
  read(record: RecordRef, range: BucketRange): Promise<readonly DeliveryBucket[]>;
}
