/** The deliveries reported for one minute, hour or day, in UTC. */
export interface DeliveryBucket {
  readonly start: string;
  readonly successes: number;
  readonly successes_on_retry: number;
  readonly failures: number;
  /** True once the bucket has ended. Late reports can still change it. */
  readonly complete: boolean;
}

export interface DeliverySeries {
  /** Oldest first, without buckets that have no reports. */
  readonly results: readonly DeliveryBucket[];
}

export interface DeliveryQuery {
  /** Only buckets that start at or after this time. Defaults to one day before `to`. */
  readonly from?: Date | string | undefined;
  /** Only buckets that start before this time. Defaults to now. */
  readonly to?: Date | string | undefined;
  /** Defaults to `hour`. Minutes are kept for the last 24 hours. */
  readonly granularity?: 'minute' | 'hour' | 'day' | undefined;
}
