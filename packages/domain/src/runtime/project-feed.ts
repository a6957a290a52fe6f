import type { KeyGrant } from '../access/api-key.ts';
import type { Family } from '../vocabulary/vocabulary.ts';
import type { FeedPosition, Shard } from './feed-cursor.ts';

export const FEED_PAGE_PROJECTS = 500;
/** The maximum size of a page with more than one project. */
export const FEED_PAGE_BYTES = 8 * 1024 * 1024;

/** The part of the feed that a reader gets. */
export interface FeedFilter {
  /** The feed has the projects of this key. */
  readonly key: Pick<KeyGrant, 'id' | 'projectIds' | 'tokenProjectIds'>;
  /** Only records of these plugins; empty means all. */
  readonly plugins: readonly number[];
  readonly shard: Shard | null;
}

export const EVERY_PROJECT: FeedFilter = { key: { id: 0, projectIds: [] }, plugins: [], shard: null };

/** A project whose configuration may have changed. */
export interface ChangedProject {
  readonly projectId: number;
  /** Null if it has none, or once the erasure of the project has removed it. */
  readonly externalId: string | null;
  /** The transaction of its last change. */
  readonly transaction: number;
  /** The version of the last registration of one of its plugins; 0 if none is later than the position. */
  readonly registryVersion: number;
  readonly listVersion: number;
  /** The bound keys that have lost the project, if it is deleted; null if it exists. */
  readonly lostBy: readonly number[] | null;
}

/** Changed projects, sorted by id, and the position at which they were read. */
export interface ChangedProjects {
  readonly at: FeedPosition;
  readonly projects: readonly ChangedProject[];
  /** False if there are more. */
  readonly isComplete: boolean;
}

export interface FeedQuery {
  readonly family: Family;
  readonly filter: FeedFilter;
  /** Only projects with a higher id. */
  readonly after: number;
  readonly limit: number;
}

/** Finds the projects of the feed. Each call reads one state of the store, which is not older than the call. */
export interface ProjectFeed {
  /** Finds the projects with an enabled record. */
  all(query: FeedQuery): Promise<ChangedProjects>;
  /**
   * Finds the projects whose configuration may have changed since a position, and projects deleted since. The result misses no
   * change that was committed in between, however long its transaction took.
   */
  since(position: FeedPosition, query: FeedQuery): Promise<ChangedProjects>;
  /** Returns the project of a live record; null if there is none that the key can read. */
  projectOf(
    family: Family,
    recordId: number,
    key: Pick<KeyGrant, 'projectIds' | 'pluginIds'>,
  ): Promise<number | null>;
}
