/** Time enters the core here. */
export interface Clock {
  /** @throws DomainError `unavailable` where the time is not known at the moment */
  now(): Date;
}
