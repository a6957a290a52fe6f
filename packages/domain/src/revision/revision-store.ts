import type { Deadline } from '@plugin-config/flow';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { RecordRef } from '../project/family.ts';
import type { ConfigRecord } from '../record/config-record.ts';
import type { RecordWrite } from '../record/config-record-store.ts';
import type { Revision, RestoredRecord } from './revision.ts';

/** A decided restore that takes effect once. */
export interface KeyedRestore extends Pick<RestoredRecord, 'missing'> {
  /** The record that the restore was decided on. */
  readonly before: ConfigRecord;
  /** Null if nothing changes. */
  readonly write: RecordWrite | null;
  readonly key: IdempotencyKey;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

/**
 * The revisions of a record: its current state, and the earlier ones that are kept. The stores write them, in one step with
 * the change. None shows a secret, also none that was plain text when the revision was current.
 */
export interface RevisionStore {
  /** One page, newest first. The byte limit of a page counts all texts of a revision. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<Revision>>;
  find(ref: RecordRef, number: number): Promise<Revision | null>;
  /**
   * The answer that is kept under the key of a restore of this record; null if there is none. Configuration and plugin are not kept, since
   * they may become secret: the answer has the present ones.
   */
  kept(ref: RecordRef, key: IdempotencyKey): Promise<Once<RestoredRecord> | null>;
  /**
   * Stores the write as the `save` of records does, and keeps the answer under the key in the same step. If an answer is kept
   * already, stores nothing and resolves to that one. Resolves to null if the record has changed since.
   * @throws DomainError `throttled` if too many answers are kept for the author's API key in this family
   */
  restoreOnce(restore: KeyedRestore): Promise<Once<RestoredRecord> | null>;
}
