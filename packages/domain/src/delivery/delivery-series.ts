import type { BucketRange } from '../kernel/bucket-range.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { Deliveries } from './delivery-rate.ts';

/** The deliveries reported for five minutes, an hour or a day. */
export interface DeliveryBucket extends Deliveries {
  readonly start: Date;
}

/** A bucket of one of several records. */
export interface RecordBucket extends DeliveryBucket {
  readonly recordId: number;
}

/** Reported deliveries over time. */
export interface DeliverySeries {
  /** Returns the buckets with reports, oldest first. */
  read(record: RecordRef, range: BucketRange): Promise<readonly DeliveryBucket[]>;
  /** Returns the hours with reports of several records, by record id and time. Ignores ids outside of the family. */
  readHours(
    family: FamilyRef,
    recordIds: readonly number[],
    range: BucketRange<'hour'>,
  ): Promise<readonly RecordBucket[]>;
}
