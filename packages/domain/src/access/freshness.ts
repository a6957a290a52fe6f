/** Above any sum of real revisions: what changes 30,000 times a second takes a year for it. */
const REVISIONS = 2 ** 40;

/** What an answer about a family depends on. Each number only rises, and all of them are read together. */
export interface FreshnessOf {
  /** The generation of the store. A later one may have lost the last changes, and counts on from an earlier revision. */
  readonly generation: number;
  /** The revision of the family. */
  readonly revision: number;
  /** The number of registrations and removals of plugins, which the records of all families show. */
  readonly registrations: number;
}

/**
 * How fresh an answer about a family is: what was read at a lower freshness may be out of date. Freshness has a meaning only
 * within a process.
 */
export function freshnessOf({ generation, revision, registrations }: FreshnessOf): number {
  return generation * REVISIONS + revision + registrations;
}
