/** The domain's source of time. */
export interface Clock {
  /** @throws DomainError `unavailable` if the time is not known yet */
  now(): Date;
}
