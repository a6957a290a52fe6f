import type { Deadline } from '@plugin-config/flow';
import type { SecretNames } from '../configuration/configuration.ts';
import type { Actor, Author } from '../kernel/author.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Registration } from '../plugin/registration.ts';
import type { Family, FamilyRef } from '../project/family.ts';
import type { RecordWrite } from '../record/config-record-store.ts';
import type { ConfigRecord, RecordDraft } from '../record/config-record.ts';
import type { RecordPosition } from '../record/ordering.ts';
import type { Base } from './base.ts';
import type { Applied } from './plan.ts';

/** The maximum number of live records of a family that plans can be made for. */
export const MANAGED_LIVE_MAX = 20_000;
/** The maximum bytes of the configurations that one manager owns. */
export const MANAGED_MAX_BYTES = 32 * 1024 * 1024;

export function tooLargeToManage(): DomainError {
  const [records, mib] = [MANAGED_LIVE_MAX.toLocaleString('en'), MANAGED_MAX_BYTES / 1024 / 1024];
  const message = `A plan takes families of no more than ${records} live records, and configurations of no more than ${mib} MiB.`;
  return new DomainError('too_large', message);
}

/** A record and its manager. */
export interface Ownership {
  readonly family: Family;
  readonly id: number;
  readonly key: string;
  readonly manager: string;
}

/** A record of a project; its key and manager are null if nobody owns it. */
export interface OwnedOrNot extends Pick<Ownership, 'family' | 'id'> {
  readonly key: string | null;
  readonly manager: string | null;
}

/** What was edited of a record, by whom and when at last. */
export interface EditedRecord {
  readonly family: Family;
  readonly id: number;
  /** Null if the manager does not own it. */
  readonly key: string | null;
  readonly fields: readonly string[];
  /** Null if the history does not tell. */
  readonly actor: Actor | null;
  readonly at: Date | null;
}

/** A record that a manager owns, live or deleted. */
export interface OwnedRecord {
  readonly key: string;
  readonly preventDestroy: boolean;
  /** True if it was not changed since its manager applied or adopted it. */
  readonly isAsApplied: boolean;
  /** Its `pluginInfo` is null. */
  readonly record: ConfigRecord;
  readonly secretNames: SecretNames;
  /**
   * The configuration with the values of secrets, as JSON text. Decrypts it only when its record is planned: thousands at once would
   * block the process.
   */
  readonly values: () => string;
}

export interface ManagedFamily {
  /** All live records, owned or not. */
  readonly live: readonly RecordPosition[];
  readonly owned: readonly OwnedRecord[];
}

/** What is known of a plugin, and what its new records begin with. */
export interface SeededPlugin extends Registration {
  /** The configuration of a new record with the values of secrets, as JSON text. */
  readonly defaults: string;
}

/** All that a plan of one manager depends on, read at one moment. */
export interface ManagedState {
  readonly base: Base;
  readonly families: Readonly<Record<Family, ManagedFamily>>;
  /** The plugins of the owned and the declared records that are registered or were, by their id. */
  readonly plugins: ReadonlyMap<number, SeededPlugin>;
  /**
   * Returns the same text for the same plan of the project. It reveals nothing of the plan, which has values of secrets, to
   * whoever lacks the data key of the project.
   */
  readonly fingerprint: (plan: string) => string;
}

/** One manager's view of a project, and the plugins that it is about to attach. */
export interface ManagedScope {
  readonly projectId: number;
  readonly manager: string;
  readonly plugins: readonly number[];
}

/** How a record is owned from now on. */
export interface NewOwnership extends Omit<Ownership, 'manager'> {
  readonly preventDestroy: boolean;
}

/** Both families of a project, locked by one caller at a time. */
export interface LockedProject {
  readonly state: ManagedState;
  /** The records of these families that were changed after a base of the same timeline, sorted by family and id. */
  changedSince(base: Base, families: readonly Family[]): Promise<readonly EditedRecord[]>;
  /** Stores changes, each of another record. */
  save(writes: readonly RecordWrite[]): Promise<readonly ConfigRecord[]>;
  /** Stores new records, in this order. */
  create(family: FamilyRef, drafts: readonly RecordDraft[], author: Author): Promise<readonly ConfigRecord[]>;
  /** As `LockedFamily.move`. */
  move(family: FamilyRef, positions: readonly RecordPosition[], author: Author): Promise<void>;
  /** Stores that the manager owns these records. What is edited from now on is drift. */
  own(records: readonly NewOwnership[]): Promise<void>;
  /** Stores that nobody owns these records. */
  disown(records: readonly Pick<Ownership, 'family' | 'id'>[]): Promise<void>;
  /** The records of the project with these ids, and who owns them. */
  owners(ids: readonly number[]): Promise<readonly OwnedOrNot[]>;
  /** The base of a plan that is made after all changes so far. */
  base(): Promise<Base>;
  /** The answer that is kept under the key; null if there is none. */
  keptAnswer(key: IdempotencyKey): Promise<Once<Applied> | null>;
  /**
   * Keeps an answer under the key.
   * @throws DomainError `throttled` if too many answers are kept for the actor's API key
   */
  keepAnswer(key: IdempotencyKey, actor: Actor, answer: Applied): Promise<void>;
}

/** Which manager owns which records, and what a plan needs to know of them. */
export interface ManagedRecords {
  /**
   * Reads all at one moment.
   * @throws DomainError `too_large` above `MANAGED_LIVE_MAX` or `MANAGED_MAX_BYTES`
   */
  read(scope: ManagedScope): Promise<ManagedState>;
  /**
   * Runs `work` with both families of the project locked. Its changes are stored when it resolves; nothing is stored if it
   * throws, or if the deadline ends before.
   */
  lock<T>(scope: ManagedScope, work: (locked: LockedProject) => Promise<T>, deadline?: Deadline): Promise<T>;
  /** The owned records of a project, of one manager unless it is null, sorted by family and id. */
  page(projectId: number, manager: string | null, page: PageRequest): Promise<Page<Ownership>>;
  /** The owned records that were edited since the manager was applied or adopted them last, sorted by family and id. */
  drift(projectId: number, manager: string): Promise<readonly EditedRecord[]>;
}
