import type { NewActivity } from '../activity/activity-entry.ts';
import type { Author } from '../kernel/author.ts';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecord, RecordDraft, UnversionedRecord } from './config-record.ts';
import type { FamilyCursor, FamilyPosition, ReachedVersion } from './family-cursor.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { RecordPosition } from './ordering.ts';
import type { ConfiguredRecord } from './configured-record.ts';

export interface RecordFilter {
  readonly deleted: boolean;
  readonly enabled: boolean | null;
  readonly plugin: number | null;
  /** A part of the name or the description, case-insensitive; no character is a wildcard. */
  readonly search: string | null;
}

/** A filter of changed records by their current values. */
export interface ChangedFilter extends Omit<RecordFilter, 'deleted'> {
  /** Null for live and deleted records. */
  readonly deleted: boolean | null;
}

/** A value with the version of the family at which it was read. */
export interface AtVersion<T> extends ReachedVersion {
  /** How fresh the value is; see `cacheVersionOf`. */
  readonly cacheVersion: number;
  readonly value: T;
}

/** The manager that owns a record, and its key there. */
export interface ManagedBy {
  readonly manager: string;
  readonly key: string;
}

/** A record, if there is one, and who owns it, if somebody does. */
export interface FoundRecord extends AtVersion<ConfigRecord | null> {
  readonly managedBy: ManagedBy | null;
}

export interface RecordPage extends Page<ConfigRecord> {
  /** Raised by each change to a record of the family. */
  readonly listVersion: number;
}

export interface ChangedPage extends RecordPage {
  /** The end of this page. The next page begins after it. */
  readonly end: FamilyPosition;
  /** As of `ChangedRecords`. */
  readonly isVoid: boolean;
}

/** What a change stores. */
export interface PlannedWrite {
  /** The record afterwards. The store gives it the next version, and `activity.at` as its time. */
  readonly after: UnversionedRecord;
  readonly activity: NewActivity;
  /** The new configuration with the values of secrets, if the write replaces it. */
  readonly values?: string;
  /** What is kept of the present revision, which the write ends; absent if name, description and configuration stay. */
  readonly ended?: EndedRevision;
}

export interface EndedRevision {
  /** The configuration as it was shown; null if it stays. */
  readonly config: string | null;
}

export interface RecordWrite extends PlannedWrite {
  readonly before: ConfigRecord;
  readonly deadline?: Deadline | undefined;
}

/** A change up to this size is cheap. Few larger ones run at a time, apart from those of other families. */
export const SMALL_CHANGE_BYTES = 16 * 1024;

export interface CreateOptions {
  readonly author: Author;
  readonly requireRegistered: boolean;
  readonly deadline?: Deadline | undefined;
}

/** The fields of a live record that identify it to a caller. */
export interface LiveRecord extends RecordPosition {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly name: string | null;
  readonly description: string | null;
}

/** The maximum number of live records in a family that can be rearranged. */
export const REARRANGE_MAX = 10_000;

/** One family, locked by one caller at a time. */
export interface LockedFamily {
  readonly listVersion: number;
  /**
   * The first live records, sorted by position; at most one more than `REARRANGE_MAX`.
   */
  readonly live: readonly LiveRecord[];
  /** Stores new positions. Each raises the version of its record and writes an activity entry `rearranged`. */
  move(positions: readonly RecordPosition[], author: Author): Promise<void>;
  /** The current state of a live record. */
  record(id: number): Promise<ConfigRecord | null>;
}

/**
 * Each method that changes something raises the version of the family and writes the activity in the same step. It
 * waits no longer than the deadline of the request, a few seconds by default, and then throws `busy`.
 */
export interface ConfigRecordStore {
  find(ref: RecordRef): Promise<FoundRecord>;

  /** One page, sorted by position, then id. The byte limit of a page counts all texts of a record (`recordBytes`). */
  list(family: FamilyRef, filter: RecordFilter, page: PageRequest): Promise<AtVersion<RecordPage>>;

  /**
   * One page of the records whose answers have changed after the cursor, sorted by this change, then id. The byte limit
   * is that of `list`.
   */
  listChanged(
    family: FamilyRef,
    since: FamilyCursor,
    filter: ChangedFilter,
    page: PageRequest,
  ): Promise<AtVersion<ChangedPage>>;

  /**
   * The records with the first of these ids, in the order of the ids, until they reach `maxBytes`; at least one. An id
   * without a record in the family gives null, and counts no bytes.
   */
  chunk(
    family: FamilyRef,
    ids: readonly number[],
    maxBytes: number,
  ): Promise<readonly (ConfigRecord | null)[]>;

  /**
   * Stores a new record with the defaults of its plugin. Without an order, the record goes after the last live one. The
   * activity entry `created` has every field, with the assigned `order`.
   * @throws DomainError `authentication_failed` if the key of the author is revoked; `max_value` if there is no next position; `does_not_exist` if a registered plugin is required
   * and there is none
   */
  create(family: FamilyRef, draft: RecordDraft, options: CreateOptions): Promise<ConfigRecord>;

  /**
   * Like `create`, and keeps the answer under this key in the same step. If an answer is kept already, stores nothing and
   * resolves to that answer. Configuration and plugin are not kept, since they may become secret: that answer has the
   * present ones.
   * @throws DomainError `throttled` if too many answers are kept for the author's API key in this family
   */
  createOnce(
    family: FamilyRef,
    draft: RecordDraft,
    options: CreateOptions,
    key: IdempotencyKey,
  ): Promise<Once<ConfigRecord>>;

  /**
   * Stores the change by compare-and-swap: the version of `before`, the version of its configuration and the plugin version
   * of `after` must be current, else it resolves to null. Never writes reported values: the error and the
   * delivery rate. If it ends the present revision of the record, keeps that one, and the author of the write is that of the
   * next one.
   * @throws DomainError `authentication_failed` if the key of the author is revoked
   */
  save(write: RecordWrite): Promise<ConfigRecord | null>;

  /** The record with its plugin and its secret names. */
  configured(ref: RecordRef): Promise<ConfiguredRecord | null>;

  /** Runs `work` with the family locked. Its changes are stored when it resolves; nothing is stored if it throws. */
  lock<T>(family: FamilyRef, work: (locked: LockedFamily) => Promise<T>, deadline?: Deadline): Promise<T>;
}
