import type { BucketRange } from '../kernel/bucket-range.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { Deliveries } from './delivery-rate.ts';
import type { FailedDelivery } from './failed-delivery.ts';

/** The deliveries reported for five minutes, an hour or a day. */
export interface DeliveryBucket extends Deliveries {
  readonly start: Date;
}

export interface RecordBucket extends DeliveryBucket {
  readonly recordId: number;
}

export interface ReportedFailure extends FailedDelivery {
  readonly at: Date;
}

export interface FailureFilter {
  readonly reason: string | null;
  /** The first time; null for all. */
  readonly from: Date | null;
  /** The time after the last one; null for all. */
  readonly to: Date | null;
}

export interface DeliverySeries {
  /** Returns the buckets with reports, oldest first. */
  read(record: RecordRef, range: BucketRange): Promise<readonly DeliveryBucket[]>;
  /** Returns the hours with reports of several records, by record id and time. Ignores ids outside of the family. */
  readHours(
    family: FamilyRef,
    recordIds: readonly number[],
    range: BucketRange<'hour'>,
  ): Promise<readonly RecordBucket[]>;
  /** Returns one page of the failed deliveries of a record, latest first. `FAILED_KEPT_MAX` says how many are kept. */
  failed(record: RecordRef, filter: FailureFilter, page: PageRequest): Promise<Page<ReportedFailure>>;
}
