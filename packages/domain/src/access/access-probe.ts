import type { ConfigRecord } from '../record/config-record.ts';
import type { KeyGrant } from './api-key.ts';
import type { Family, ProjectRef } from '../vocabulary/vocabulary.ts';

export interface AccessQuery {
  readonly keyHash: string;
  readonly project: ProjectRef | null;
  readonly family: Family | null;
  readonly recordId: number | null;
}

export interface AccessResult {
  /** The key with this hash, even if it is revoked or expired. */
  readonly key: KeyGrant | null;
  /** The requested project; null if it does not exist. */
  readonly projectId: number | null;
  readonly familyVersion: number;
  readonly registryVersion: number;
  readonly record: ConfigRecord | null;
}

export interface AccessProbe {
  /**
   * Reads everything a request needs to know before it starts. The result is never older than the call.
   * @throws DomainError `unavailable` if the store is unreachable
   */
  read(query: AccessQuery): Promise<AccessResult>;

  /** Returns the keys with these ids, even if they are revoked or expired. Missing keys are absent. */
  grants(keyIds: readonly number[]): Promise<ReadonlyMap<number, KeyGrant>>;

  existing(projectIds: readonly number[]): Promise<ReadonlySet<number>>;
}
