/** The source of time for the domain. */
export interface Clock {
  /** @throws DomainError `unavailable` if the time is not known now */
  now(): Date;
}
