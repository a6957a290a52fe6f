import type { Deadline } from '@plugin-config/flow';
import type { SecretNames } from '../configuration/configuration.ts';
import type { Actor, Author } from '../kernel/author.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { TargetVersion } from '../plugin-version/plugin-version.ts';
import type { ManagedBy, NewConfiguration, RecordWrite } from '../record/config-record-store.ts';
import type { ConfigRecord, RecordDraft } from '../record/config-record.ts';
import type { RecordPosition } from '../record/ordering.ts';
import type { Base } from './base.ts';
import type { Applied, Ownership } from './plan.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

/** The maximum number of live records in a family that can be planned. */
export const MANAGED_LIVE_MAX = 20_000;
/** The maximum total size of the configurations that one manager owns. */
export const MANAGED_MAX_BYTES = 8 * 1024 * 1024;

export function tooLargeToManage(): DomainError {
  const [records, mib] = [MANAGED_LIVE_MAX.toLocaleString('en'), MANAGED_MAX_BYTES / 1024 / 1024];
  const message = `A plan is limited to families with ${records} live records, and to ${mib} MiB of configurations.`;
  return new DomainError('too_large', message);
}

/** A record of a project, and its manager; null if there is none. */
export interface RecordOwner extends Pick<Ownership, 'family' | 'id'> {
  readonly owner: ManagedBy | null;
}

/** The edited fields of a record, and its last edit. */
export interface EditedRecord {
  readonly family: Family;
  readonly id: number;
  /** Null if the manager does not own it. */
  readonly key: string | null;
  readonly fields: readonly string[];
  /** Null if the history does not say. */
  readonly actor: Actor | null;
  readonly at: Date | null;
}

/** A record that a manager owns, live or deleted. */
export interface OwnedRecord {
  readonly key: string;
  readonly preventDestroy: boolean;
  /** Whether it is unchanged since its manager last applied or adopted it. */
  readonly isAsApplied: boolean;
  /** Its `pluginInfo` is null, and its `config` empty. */
  readonly record: ConfigRecord;
  readonly secretNames: SecretNames;
  /** The configuration as JSON text, including secret values, without defaults. */
  readonly values: string;
}

export interface ManagedFamily {
  /** All live records, owned or not. */
  readonly live: readonly RecordPosition[];
  readonly owned: readonly OwnedRecord[];
}

/** Everything that a manager's plan depends on, read in one snapshot. As plain data, it can be sent to another thread. */
export interface ManagedState {
  readonly base: Base;
  readonly families: Readonly<Record<Family, ManagedFamily>>;
  /** The current and former plugins of the owned and declared records, by id. */
  readonly plugins: ReadonlyMap<number, Registration>;
  /** The versions that records are or will be pinned to, by `pinKey`. Those that do not exist are absent. */
  readonly versions: ReadonlyMap<string, PinnedVersion>;
}

/** A version that a record can be pinned to. */
export type PinnedVersion = Pick<TargetVersion, 'version' | 'state' | 'registration'>;

/** Names a version of a plugin. */
export interface Pin {
  readonly plugin: number;
  readonly version: string;
}

export function pinKey({ plugin, version }: Pin): string {
  return `${plugin} ${version}`;
}

/** One manager's view of a project, and the plugins and versions that it is about to attach. */
export interface ManagedScope {
  readonly projectId: number;
  readonly manager: string;
  readonly plugins: readonly number[];
  readonly pins: readonly Pin[];
}

export interface RecordCreation {
  readonly draft: RecordDraft;
  /** Null for none. */
  readonly configuration: NewConfiguration | null;
  readonly author: Author;
}

/** A record to store, which the manager then owns under a key. */
export interface OwnedChange {
  readonly family: Family;
  readonly key: string;
  readonly preventDestroy: boolean;
  /** A new record, a change to a record, or the id of a record that only changes its owner. */
  readonly record: RecordCreation | RecordWrite | number;
}

/** Both families of a project, locked by one caller. */
export interface LockedProject {
  readonly state: ManagedState;
  /**
   * Returns the records of these families that changed after a base, sorted by family and id.
   */
  changedSince(base: Base, families: readonly Family[]): Promise<readonly EditedRecord[]>;
  /** Returns the records of the project with these ids, and their owners. */
  owners(ids: readonly number[]): Promise<readonly RecordOwner[]>;
  /**
   * Stores changes to different records, and gives the manager ownership of all of them. Later edits count as drift.
   * Resolves to the ids of the new records, in order.
   */
  store(changes: readonly OwnedChange[]): Promise<readonly number[]>;
  /** Returns the base of a plan made after all changes so far. */
  base(): Promise<Base>;
  /** Returns the response stored under the author's key; null if there is none. */
  kept(author: Author): Promise<Applied | null>;
  /**
   * Stores the response under the author's key, if there is one.
   * @throws DomainError `throttled` if the author's API key has too many stored responses
   */
  keep(author: Author, response: Applied): Promise<void>;
}

/** The ownership of records, and the state on which plans are based. */
export interface ManagedRecords {
  /**
   * Reads everything in one snapshot.
   * @throws DomainError `too_large` above `MANAGED_LIVE_MAX` or `MANAGED_MAX_BYTES`
   */
  read(scope: ManagedScope): Promise<ManagedState>;
  /**
   * Runs `work` with both families of the project locked. Its changes are stored when it resolves, and discarded if
   * it throws or the deadline passes.
   */
  lock<T>(scope: ManagedScope, work: (locked: LockedProject) => Promise<T>, deadline?: Deadline): Promise<T>;
  /** Returns the owned records of a project, of all managers if null, sorted by family and id. */
  page(projectId: number, manager: string | null, page: PageRequest): Promise<Page<Ownership>>;
  /**
   * Returns the owned records that were edited since the manager last applied or adopted them, sorted by family and
   * id.
   */
  drift(projectId: number, manager: string): Promise<readonly EditedRecord[]>;
}
