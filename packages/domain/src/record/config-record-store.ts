import type { Author, NewActivity } from '../activity/activity-entry.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Patience } from '../sharing/patience.ts';
import type { SealedSecrets } from '../configuration/configuration.ts';
import type { ConfigRecord, RecordDraft } from './config-record.ts';
import type { FamilyRef, RecordRef } from '../project/family.ts';
import type { RecordPosition } from './ordering.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

export interface RecordFilter {
  readonly deleted: boolean;
  readonly enabled: boolean | null;
  readonly plugin: number | null;
  /** Part of the name or the description, in any case, to the letter. */
  readonly search: string | null;
}

/** An answer, and the revision of the family that it was true at. */
export interface AtRevision<T> {
  readonly revision: number;
  readonly value: T;
}

export interface RecordPage extends Page<ConfigRecord> {
  /** Raised by each change to a record of the family. */
  readonly familyVersion: number;
}

export interface RecordWrite {
  readonly before: ConfigRecord;
  readonly after: ConfigRecord;
  readonly activity: NewActivity;
  /** The stored secrets, where they are replaced. */
  readonly secrets?: SealedSecrets;
  readonly patience?: Patience | undefined;
}

/** Whether the write replaces the stored configuration, which raises its revision. */
export function replacesConfiguration({ before, after, secrets }: RecordWrite): boolean {
  return secrets !== undefined || after.config !== before.config;
}

/** A live record, as much of it as tells which one is meant. */
export interface LiveRecord extends RecordPosition {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly name: string | null;
  readonly description: string | null;
}

/** The most live records of a family that can be rearranged. */
export const REARRANGE_MAX = 10_000;

/** One family, held by one caller at a time. */
export interface HeldFamily {
  readonly version: number;
  /** In their order; if there are more than `REARRANGE_MAX`, the first of them and one more. */
  readonly live: readonly LiveRecord[];
  /** New positions, each with its version raised and an entry `rearranged` in the activity. */
  move(positions: readonly RecordPosition[], author: Author): Promise<void>;
  /** The live record as it stands now. */
  record(id: number): Promise<ConfigRecord | null>;
}

/**
 * Every method that changes something raises the family's revision and writes the activity in the same step. It waits
 * for no longer than the patience that it is given, or else a few seconds of its own, and then throws `busy`.
 */
export interface ConfigRecordStore {
  find(ref: RecordRef): Promise<AtRevision<ConfigRecord | null>>;

  /** By position, then id. What counts for the bytes of a page are all texts of a record (`recordBytes`). */
  list(family: FamilyRef, filter: RecordFilter, page: PageRequest): Promise<AtRevision<RecordPage>>;

  /**
   * The records of the family at the head of `ids`, in that order, as many of them as fit into `maxBytes`, one in any
   * case; an id that no record of the family has counts as one without texts, and is null.
   */
  portion(
    family: FamilyRef,
    ids: readonly number[],
    maxBytes: number,
  ): Promise<readonly (ConfigRecord | null)[]>;

  /**
   * Stores a new record, with the configuration that its plugin is seeded with. Without an order it goes after
   * the last live one. Its activity entry `created` tells every field, `order` as it was given out.
   * @throws DomainError `max_value` where there is no next position; `does_not_exist` where a registered plugin
   * is asked for and there is none
   */
  create(
    family: FamilyRef,
    draft: RecordDraft,
    options: {
      readonly author: Author;
      readonly requireRegistered: boolean;
      readonly patience?: Patience | undefined;
    },
  ): Promise<ConfigRecord>;

  /**
   * Stores the change where all that it was decided upon still holds: the version of `before`, the revision of its
   * configuration, and that of the plugin of `after`. Else resolves to null. What is only reported, the error and
   * the rate, is never written.
   */
  save(write: RecordWrite): Promise<ConfigRecord | null>;

  /** The record with its stored secrets and what its plugin, or another one, expects of a configuration. */
  configuration(ref: RecordRef, plugin?: number): Promise<StoredConfiguration | null>;

  /**
   * Runs `work` while nobody else changes the family; all that it did is stored when it resolves, nothing where
   * it throws.
   */
  hold<T>(family: FamilyRef, work: (held: HeldFamily) => Promise<T>, patience?: Patience): Promise<T>;
}
