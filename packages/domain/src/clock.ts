/** Time enters the core here. */
export interface Clock {
  now(): Date;
}
