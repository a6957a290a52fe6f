/** Above any sum of real revisions: what changes 30,000 times a second takes a year for it. */
const REVISIONS = 2 ** 40;

/** What an answer about a family depends on. Each number only rises, and all of them are read together. */
export interface FreshnessOf {
  /**
   * Counts the servers that this process has been connected to. After a failover, the last changes may be lost, and their
   * revisions used again.
   */
  readonly generation: number;
  /** The revision of the family. */
  readonly revision: number;
  /** The number of registrations and removals of plugins, which the records of all families show. */
  readonly registrations: number;
}

/**
 * How fresh an answer about a family is: one number that rises whenever the answer may have changed. An answer that was
 * read at a lower freshness may be out of date. Numbers of two processes cannot be compared.
 */
export function freshnessOf({ generation, revision, registrations }: FreshnessOf): number {
  return generation * REVISIONS + revision + registrations;
}
