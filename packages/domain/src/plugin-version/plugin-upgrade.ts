import type { Actor, Author } from '../kernel/author.ts';
import type { RecordRef } from '../project/family.ts';
import type { Task } from '../task/task-queue.ts';
import type { PluginRef, UpgradeState } from '../vocabulary/vocabulary.ts';

/** How many records of a turn had each outcome. The others are gone. */
export interface UpgradeCounts {
  readonly upgraded: number;
  /** A person has to decide something. */
  readonly needsInput: number;
  /** A runtime does not know the schema. */
  readonly unsupported: number;
  readonly pinned: number;
}

export interface UpgradeProgress extends UpgradeCounts {
  readonly total: number;
  readonly done: number;
}

export interface UpgradeOptions {
  /** Whether records are upgraded even if a runtime does not know the new schema. */
  readonly force: boolean;
}

/** An upgrade of the records of a plugin to one of its versions. */
export interface PluginUpgrade extends UpgradeOptions {
  readonly plugin: number;
  readonly version: string;
  /** The schema version of that version. */
  readonly schemaVersion: number;
  /**
   * 0 for all records. Otherwise, only records with this schema version are upgraded, because the deadline of theirs has passed, and
   * only if nothing is lost.
   */
  readonly overdueSchema: number;
  readonly state: UpgradeState;
  readonly progress: UpgradeProgress;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** The records that a claimed task upgrades. */
export interface UpgradeTurn {
  readonly task: Task;
  readonly upgrade: PluginUpgrade;
  readonly refs: readonly RecordRef[];
}

export interface UpgradedTurn {
  readonly counts: UpgradeCounts;
  /** Whether the upgrade ends here, although there may be more records. */
  readonly isCancelled: boolean;
  readonly at: Date;
}

/** Upgrades of all records of plugins. Each is a task in the queue. */
export interface PluginUpgradeStore {
  /**
   * Counts the records that are pinned to another version or have another schema version, and starts to upgrade them. If an upgrade to
   * this version is running, returns that one. Resolves to null if there is no such version.
   * @throws DomainError `invalid_input` if it is withdrawn
   */
  start(
    plugin: PluginRef,
    version: string,
    options: UpgradeOptions,
    author: Author,
  ): Promise<PluginUpgrade | null>;
  /** Returns the last upgrade to a version; null if there was none. */
  find(plugin: PluginRef, version: string): Promise<PluginUpgrade | null>;
  /** Cancels what is running. Returns the last upgrade to the version; null if there was none. */
  cancel(plugin: PluginRef, version: string, author: Author): Promise<PluginUpgrade | null>;
  /**
   * Starts an upgrade to the current version for the records of each deprecated version whose date has passed. Those that cannot be
   * upgraded are tried again an hour later.
   */
  startOverdue(author: Author): Promise<void>;
  /**
   * Returns the turn of a claimed task, which has the same records until it is finished. Resolves to null, and removes the task, if the
   * upgrade has ended. Cancels the upgrade if nobody can choose the version any more, or the key that started it is revoked.
   */
  begin(task: Task, at: Date): Promise<UpgradeTurn | null>;
  /**
   * Adds to the progress and settles the task in one step. After the last records, the upgrade has succeeded. Resolves to null, and
   * stores nothing, if the task has been claimed again.
   */
  finish(turn: UpgradeTurn, upgraded: UpgradedTurn): Promise<PluginUpgrade | null>;
}
