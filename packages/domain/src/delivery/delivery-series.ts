import type { BucketRange } from '../kernel/bucket-range.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { Deliveries } from './delivery-rate.ts';
import { BUCKET_MS } from '../vocabulary/vocabulary.ts';

/** A report older than this counts towards its hour and day, but not its minute. */
export const MINUTES_COUNTED_MS = DAY_MS + BUCKET_MS.hour;
/** The age at which a minute is deleted. By then, no report can change it. */
export const MINUTES_KEPT_MS = MINUTES_COUNTED_MS + BUCKET_MS.hour;

/** The deliveries reported for one minute, hour or day. */
export interface DeliveryBucket extends Deliveries {
  readonly start: Date;
}

/** A bucket of one of several records. */
export interface RecordBucket extends DeliveryBucket {
  readonly recordId: number;
}

/** Reported deliveries over time. */
export interface DeliverySeries {
  /**
   * Returns the buckets with reports, oldest first. Minutes are complete if they are younger than
   * `MINUTES_COUNTED_MS`.
   */
  read(record: RecordRef, range: BucketRange): Promise<readonly DeliveryBucket[]>;
  /** Returns the hours with reports of several records, by record id and time. Ignores ids outside of the family. */
  readHours(
    family: FamilyRef,
    recordIds: readonly number[],
    range: BucketRange<'hour'>,
  ): Promise<readonly RecordBucket[]>;
}
