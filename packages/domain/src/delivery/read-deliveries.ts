import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { DAY_MS } from '../log/log-days.ts';
import type { RecordRef } from '../project/family.ts';
import {
  BUCKET_MS,
  type BucketRange,
  type DeliveryBucket,
  type DeliverySeries,
  type Granularity,
} from './delivery-series.ts';

export const BUCKETS_MAX = 1500;

/** How far back minutes can be read: a little more than a day, for the time that a request takes. */
const MINUTES_READ_MS = DAY_MS + 2 * BUCKET_MS.minute;

interface Dependencies {
  readonly deliveries: DeliverySeries;
  readonly clock: Clock;
}

/** The asked buckets: those that start at `from` or later, and before `to`. */
export interface AskedBuckets {
  readonly granularity: Granularity;
  /** A day before `to` if null. */
  readonly from: Date | null;
  /** Now if null. */
  readonly to: Date | null;
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

function rangeOf({ granularity, from: after, to: before }: AskedBuckets, now: number): BucketRange {
  const end = before?.getTime() ?? now;
  const begin = after?.getTime() ?? end - DAY_MS;
  if (begin >= end) throw refused('to', 'The end has to be later than `from`.');
  if (granularity === 'minute' && begin < now - MINUTES_READ_MS) {
    throw refused('from', 'Minutes are kept for the last 24 hours: begin later, or ask for hours.');
  }
  const width = BUCKET_MS[granularity];
  const [from, to] = [firstStart(begin, width), firstStart(end, width)];
  const count = (to - from) / width;
  if (count > BUCKETS_MAX) {
    const detail = `At most ${BUCKETS_MAX} buckets can be read at once, and these are ${count}: ask for fewer, or for wider ones.`;
    throw refused('from', detail);
  }
  return { granularity, from, to };
}

/** The start of the first bucket that does not start before the time. */
function firstStart(time: number, width: number): number {
  return Math.ceil(time / width) * width;
}

function refused(attr: string, detail: string): DomainError {
  return new DomainError('invalid_input', detail, { attr });
}
