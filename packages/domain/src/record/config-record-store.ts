import type { NewActivity } from '../activity/activity-entry.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Replacement } from '../configuration/replace-configuration.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecord, RecordDraft, RecordTexts, UnversionedRecord } from './config-record.ts';
import type { FamilyCursor, FamilyPosition } from './family-cursor.ts';
import type { FamilyRef, RecordRef, ReachedVersion } from '../project/family.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import type { RecordPosition } from './ordering.ts';

export interface RecordFilter {
  readonly deleted: boolean;
  readonly enabled: boolean | null;
  /** An unknown slug has no records. */
  readonly plugin: PluginRef | null;
  /** False for the enabled records whose configuration the schema of their plugin rejects, true for all others. */
  readonly valid: boolean | null;
  /**
   * True for the outdated records: those that follow a schema version below that of their plugin's current version, or are pinned
   * to a version that is deprecated or withdrawn. False for all others, such as those of a plugin that is not registered.
   */
  readonly outdated: boolean | null;
  /** A case-insensitive part of one of its texts, without wildcards. */
  readonly search: string | null;
}

/** Filters changed records by their current values. */
export interface ChangedFilter extends Omit<RecordFilter, 'deleted'> {
  /** Null for both live and deleted records. */
  readonly deleted: boolean | null;
}

/** A value with the family version at which it was read. */
export interface AtVersion<T> extends ReachedVersion {
  readonly value: T;
}

/** The manager that owns a record, and the record's key there. */
export interface ManagedBy {
  readonly manager: string;
  readonly key: string;
}

/** A record, and the manager that owns it; each null if there is none. */
export interface FoundRecord extends AtVersion<ConfigRecord | null> {
  readonly managedBy: ManagedBy | null;
  /** Whether it is enabled although the schema of its plugin rejects its configuration. */
  readonly isInvalid: boolean;
}

export interface RecordPage extends Page<ConfigRecord> {
  /** Bumped by each change to a record of the family. Reported errors and delivery rates do not count as changes. */
  readonly listVersion: number;
}

export interface ChangedPage extends RecordPage {
  /** The end of this page, where the next one starts. */
  readonly end: FamilyPosition;
  /** As in `ChangedRecords`. */
  readonly isCursorInvalid: boolean;
}

export interface PlannedWrite {
  /**
   * The record after the change. The store assigns the next version, `activity.at` as the time of the update, and the
   * configuration that is shown if it or the plugin changes.
   */
  readonly after: UnversionedRecord;
  readonly activity: NewActivity;
  /** The new configuration with secret values, if the write replaces it. */
  readonly values?: string;
  /** True if the new configuration leaves the record invalid, if it was. By default, it is valid. */
  readonly staysInvalid?: true;
  /** The current revision, if this write ends it; absent if texts and configuration stay the same. */
  readonly ended?: EndedRevision;
}

export interface EndedRevision {
  /** The configuration before the change, without defaults, masked; null if it stays the same. */
  readonly config: string | null;
}

export interface RecordWrite extends PlannedWrite {
  readonly before: ConfigRecord;
  readonly deadline?: Deadline | undefined;
}

/** Changes up to this size are cheap. Only a few larger changes run at a time, and never in a batch with other families. */
export const SMALL_CHANGE_BYTES = 16 * 1024;

export interface CreateOptions {
  readonly author: Author;
  readonly requireRegistered: boolean;
  readonly deadline?: Deadline | undefined;
  /** The configuration, and the changes that set it; absent or null for none. */
  readonly configuration?: NewConfiguration | null;
  /**
   * The version of the plugin's registration that accepted the configuration, null if there was none; absent if it does not
   * matter.
   */
  readonly decidedBy?: number | null;
}

export type NewConfiguration = Pick<Replacement, 'values' | 'changes' | 'more'>;

/** The fields that identify a live record to a caller. */
export interface LiveRecord extends RecordPosition, RecordTexts {
  readonly plugin: number;
  readonly enabled: boolean;
}

/** A family that is locked by one caller. */
export interface LockedFamily {
  readonly listVersion: number;
  /** The first live records by position, at most `REARRANGE_MAX + 1`. */
  readonly live: readonly LiveRecord[];
  /** Stores new positions. Bumps the version of each moved record and adds an activity entry `rearranged`. */
  move(positions: readonly RecordPosition[], author: Author): Promise<void>;
  /** Returns the current state of a live record. */
  record(id: number): Promise<ConfigRecord | null>;
}

/**
 * Every change bumps the family version and writes its activity entry in the same step. A method waits until the
 * deadline of the request, or a few seconds by default, and then throws `busy`.
 */
export interface ConfigRecordStore {
  find(ref: RecordRef): Promise<FoundRecord>;

  /**
   * Returns one page, sorted by position, then id. The byte limit of a page counts all texts of a record
   * (`recordBytes`).
   */
  list(family: FamilyRef, filter: RecordFilter, page: PageRequest): Promise<AtVersion<RecordPage>>;

  /**
   * Returns one page of the records that have changed after the cursor, sorted by their last change, then id, with
   * the byte limit of `list`.
   */
  listChanged(
    family: FamilyRef,
    since: FamilyCursor,
    filter: ChangedFilter,
    page: PageRequest,
  ): Promise<AtVersion<ChangedPage>>;

  /**
   * Returns the records with the given ids, in order, until they reach `maxBytes`, but at least one. An id without a
   * record in the family gives null, and counts no bytes.
   */
  chunk(
    family: FamilyRef,
    ids: readonly number[],
    maxBytes: number,
  ): Promise<readonly (ConfigRecord | null)[]>;

  /**
   * Creates a record. Without an order, it goes after the last live record. The
   * activity entry `created` has every field, including the assigned `order`, and the entries of the configuration.
   * Stores nothing and resolves to null if the plugin's registration is not the one of `decidedBy`.
   * If the author has a key (`once`), also stores the response under it in the same step. If there is a response already,
   * stores nothing and returns that one. Configuration and plugin are not part of the stored response, because they may
   * become secret: their current state is returned.
   * @throws DomainError `authentication_failed` if the author's key is revoked; `max_value` if there is no next
   * position; `does_not_exist` if a registered plugin is required and there is none; `throttled` if the author's API key
   * has too many stored responses in this family
   */
  create(family: FamilyRef, draft: RecordDraft, options: CreateOptions): Promise<ConfigRecord | null>;

  /** Returns the response that `create` stored under the author's key; null if there is none. */
  kept(family: FamilyRef, draft: RecordDraft, author: Author): Promise<ConfigRecord | null>;

  /**
   * Stores the change by compare-and-swap: resolves to null unless the version of `before`, its configuration version
   * and the plugin version of `after` are current. Never writes the reported fields (error and delivery rate). If the
   * write ends the current revision, that revision is kept.
   * @throws DomainError `authentication_failed` if the author's key is revoked
   */
  save(write: RecordWrite): Promise<ConfigRecord | null>;

  /** Runs `work` with the family locked. Its changes are stored when it resolves, and discarded if it throws. */
  lock<T>(family: FamilyRef, work: (locked: LockedFamily) => Promise<T>, deadline?: Deadline): Promise<T>;
}
