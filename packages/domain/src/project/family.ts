import { FAMILY, type Family } from '../vocabulary/vocabulary.ts';

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

/** Ids are less than 2 to this power. */
const ID_BITS = 53;

/**
 * Returns a unique number for each family of each project, because maps look up numbers much faster than strings.
 * Multiplying by a power of two is exact, and the ranges of the families do not overlap.
 */
export function familyNumber({ projectId, family }: FamilyRef): number {
  return projectId * 2 ** (ID_BITS * FAMILY[family].number);
}

/** The versions that a response about a family depends on. The numbers only increase, and are read together. */
export interface ReachedVersion {
  readonly familyVersion: number;
  /** The registry version, because registrations change what records show. */
  readonly registryVersion: number;
}

/**
 * Combines the parts into one number that increases whenever a response about the family may have changed. A response
 * read at a lower cache version may be out of date.
 */
export function cacheVersionOf({ familyVersion, registryVersion }: ReachedVersion): number {
  return familyVersion + registryVersion;
}
