import type { Deadline } from '@plugin-config/flow';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { RecordRef } from '../project/family.ts';
import type { ConfigRecord, RecordTexts } from '../record/config-record.ts';
import type { RecordWrite } from '../record/config-record-store.ts';

export interface Restore extends Pick<RestoredRecord, 'missing'> {
  /** The state of the record on which the decision is based. */
  readonly before: ConfigRecord;
  /** Null if nothing changes. */
  readonly write: RecordWrite | null;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

/**
 * The revisions of a record: its current state, and kept earlier states. The stores write them in the same step as the change. No
 * revision shows a secret, even one that was plain text at the time.
 */
export interface RevisionStore {
  /** Returns one page, newest first. The byte limit of a page counts all texts of a revision. */
  page(ref: RecordRef, page: PageRequest): Promise<Page<Revision>>;
  find(ref: RecordRef, number: number): Promise<Revision | null>;
  /**
   * Returns the response that `restore` stored under the author's key; null if there is none. Configuration and plugin are
   * not part of the stored response, because they may become secret: their current state is returned.
   */
  kept(author: Author): Promise<RestoredRecord | null>;
  /**
   * Stores the write like `ConfigRecordStore.save`, and the response under the author's key in the same step. If there is
   * a response already, stores nothing and returns that one. Resolves to null if the record has changed since.
   * @throws DomainError `throttled` if the author's API key has too many stored responses in this family
   */
  restore(restore: Restore): Promise<RestoredRecord | null>;
}

/** The texts and the configuration of a record after one of them changed, and the author of that change. */
export interface Revision extends Author, RecordTexts {
  /** Starts at 1 when the record is created. */
  readonly number: number;
  /** JSON text, with secrets masked. Values that were secret when the revision ended are not stored with it. */
  readonly config: string;
  readonly schemaVersion: number;
  /** The version that the record was pinned to; null if it followed the current one. */
  readonly pinnedVersion: string | null;
}

/** A record after a restore of its texts and configuration. */
export interface RestoredRecord {
  readonly record: ConfigRecord;
  /** The keys of secrets that the revision had and the record no longer has. */
  readonly missing: readonly string[];
}
