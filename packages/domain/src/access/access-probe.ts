import type { ConfigRecord } from '../record/config-record.ts';
import type { Family } from '../project/family.ts';
import type { KeyGrant } from './api-key.ts';

/** `current` is the lowest project that the key may see. */
export type ProjectRef = number | 'current';

export interface AccessQuestion {
  readonly keyHash: string;
  readonly project: ProjectRef | null;
  readonly family: Family | null;
  readonly recordId: number | null;
}

export interface AccessAnswer {
  /** Whatever key has this hash, revoked and expired ones too. */
  readonly key: KeyGrant | null;
  /** The project that was asked for, null where there is none. */
  readonly projectId: number | null;
  /** The revision of the project's family: it rises with whatever can change an answer about it. */
  readonly revision: number;
  readonly record: ConfigRecord | null;
}

export interface AccessProbe {
  /**
   * All that a request needs to know before it starts, in one question. The answer was true at a moment
   * between the call and its end, never before the call.
   * @throws DomainError `unavailable` where the store is out of reach
   */
  ask(question: AccessQuestion): Promise<AccessAnswer>;
}
