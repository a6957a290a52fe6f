/** A delivery that failed, so that the plugin can replay it. */
export interface FailedDelivery {
  /** What the plugin finds it by. */
  readonly ref: string;
  /** Groups failures, such as `timeout`. */
  readonly reason: string;
}
