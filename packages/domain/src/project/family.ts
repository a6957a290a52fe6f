interface FamilyTraits {
  /** Unique, counted from 0. */
  readonly number: number;
  /** Whether plugins write logs about the records. */
  readonly hasLog: boolean;
}

/** The families of records. They share one sequence of ids, and nothing else. */
export const FAMILY = {
  plugin_configs: { number: 0, hasLog: true },
  pipeline_transformation_configs: { number: 1, hasLog: false },
} as const satisfies Readonly<Record<string, FamilyTraits>>;

export type Family = keyof typeof FAMILY;

export const FAMILIES = Object.keys(FAMILY) as readonly Family[];

/** One family of one project. Its records share one order and one revision. */
export interface FamilyRef {
  readonly projectId: number;
  readonly family: Family;
}

export interface RecordRef extends FamilyRef {
  readonly id: number;
}

/** Ids are smaller than 2 to this power. */
const ID_BITS = 53;

/**
 * A unique number for each family of each project: a map finds a number much faster than a text. Multiplication by a
 * power of two is exact, and the ranges of the families do not overlap.
 */
export function familyNumber({ projectId, family }: FamilyRef): number {
  return projectId * 2 ** (ID_BITS * FAMILY[family].number);
}
