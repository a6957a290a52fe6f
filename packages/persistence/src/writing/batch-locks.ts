import { familyNumber, type FamilyRef } from '@plugin-config/domain';

export interface BatchLocks {
  /** The plugins, and the projects and families of the families. */
  readonly locks: readonly [readonly number[], readonly number[], readonly string[]];
  /** The number of a family in `locks`, counted from 1. */
  readonly numberInBatch: (family: FamilyRef) => number;
}

/** The locks of a batch of writes, as parameters of the functions that store it. */
export function locksOf(writes: readonly (FamilyRef & { readonly plugin: number })[]): BatchLocks {
  const families = [...new Map(writes.map((ref) => [familyNumber(ref), ref])).values()];
  const numbers = new Map(families.map((ref, i) => [familyNumber(ref), i + 1]));
  return {
    locks: [
      [...new Set(writes.map(({ plugin }) => plugin))],
      families.map(({ projectId }) => projectId),
      families.map(({ family }) => family),
    ],
    numberInBatch: (family) => numbers.get(familyNumber(family)) ?? 0,
  };
}
