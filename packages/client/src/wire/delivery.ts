/** The reported deliveries of a minute, an hour or a day of UTC. */
export interface DeliveryBucket {
  readonly start: string;
  readonly successes: number;
  readonly successes_on_retry: number;
  readonly failures: number;
  /** False while the time of the bucket is not over. Late reports change any bucket. */
  readonly complete: boolean;
}

export interface DeliverySeries {
  /** Oldest first. A bucket without reports is absent. */
  readonly results: readonly DeliveryBucket[];
}

export interface DeliveryQuery {
  /** Only buckets that start then or later: a day before `to` by default. */
  readonly from?: Date | string | undefined;
  /** Only buckets that start before: now by default. */
  readonly to?: Date | string | undefined;
  /** `hour` by default. Minutes are kept for the last 24 hours. */
  readonly granularity?: 'minute' | 'hour' | 'day' | undefined;
}
