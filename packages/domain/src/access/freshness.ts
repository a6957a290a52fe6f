/** More than a revision reaches: a family that changes 30,000 times a second takes a year for it. */
const REVISIONS = 2 ** 40;

/**
 * How fresh an answer about a family is: what was read at a lower freshness may be out of date. It rises with the revision
 * of the family. It also rises with each generation of the store, which has lost its last changes, perhaps, and
 * counts on from an earlier revision. Freshness has a meaning only within a process.
 */
export function freshnessOf(generation: number, revision: number): number {
  return generation * REVISIONS + revision;
}
