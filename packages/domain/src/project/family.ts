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

/** Makes a value for each family. */
export function perFamily<T>(valueOf: (family: Family) => T): Readonly<Record<Family, T>> {
  return {
    plugin_configs: valueOf('plugin_configs'),
    pipeline_transformation_configs: valueOf('pipeline_transformation_configs'),
  };
}

/** One family of one project. Its records share one order and one family version. */
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

/** Above any sum of real family versions: what changes 30,000 times a second takes a year for it. */
const FAMILY_VERSIONS = 2 ** 40;

/** What an answer about a family depends on. Each number only rises, and all of them are read together. */
export interface CacheVersionParts {
  /**
   * Counts the servers that this process has been connected to. After a failover, the last changes may be lost, and their
   * family versions used again.
   */
  readonly connectionEpoch: number;
  /** The version of the family. */
  readonly familyVersion: number;
  /** The registry version and removals of plugins, which the records of all families show. */
  readonly registryVersion: number;
}

/**
 * How fresh an answer about a family is: one number that rises whenever the answer may have changed. An answer that was
 * read at a lower cache version may be out of date. Numbers of two processes cannot be compared.
 */
export function cacheVersionOf({
  connectionEpoch,
  familyVersion,
  registryVersion,
}: CacheVersionParts): number {
  return connectionEpoch * FAMILY_VERSIONS + familyVersion + registryVersion;
}
