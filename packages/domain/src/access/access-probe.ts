import type { ConfigRecord } from '../record/config-record.ts';
import type { TimelineId } from '../kernel/timeline.ts';
import type { Family } from '../project/family.ts';
import type { KeyGrant } from './api-key.ts';

/** `current` is the lowest project that the key may see. */
export type ProjectRef = number | 'current';

export interface AccessQuery {
  readonly keyHash: string;
  readonly project: ProjectRef | null;
  readonly family: Family | null;
  readonly recordId: number | null;
}

export interface AccessResult {
  /** The key with this hash, even if it is revoked or expired. */
  readonly key: KeyGrant | null;
  /** The project of the query; null if it does not exist. */
  readonly projectId: number | null;
  /** The version of the family. Each change of its records that can change an answer raises it. */
  readonly familyVersion: number;
  /** The timeline of the store in which the family has this family version. */
  readonly timelineId: TimelineId;
  /** The version of the registry of plugins. */
  readonly registryVersion: number;
  /** How fresh an answer about the family must be; see `cacheVersionOf`. */
  readonly cacheVersion: number;
  readonly record: ConfigRecord | null;
}

export interface AccessProbe {
  /**
   * Reads everything that a request needs to know before it starts. The answer is not older than the call.
   * @throws DomainError `unavailable` if the store is out of reach
   */
  ask(query: AccessQuery): Promise<AccessResult>;

  /**
   * What this process was told before, or has stored since; null if it does not know. Others may have changed it, and it tells nothing of
   * the family. It is enough to decide on a write: the store compares the record, and rejects the write of a revoked key;
   * nothing else of a key ever changes.
   */
  lookUp(query: AccessQuery): AccessResult | null;

  /** The keys with these ids, even if they are revoked or expired. A missing key is absent. */
  grants(keyIds: readonly number[]): Promise<ReadonlyMap<number, KeyGrant>>;
}
