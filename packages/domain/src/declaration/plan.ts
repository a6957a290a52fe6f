import type { Json } from '../kernel/json.ts';
import type { ManagedBy } from '../record/config-record-store.ts';
import type { Family, PlanAction, SecretState } from '../vocabulary/vocabulary.ts';

/** The change to a field: its value, or the state of a secret. */
export interface PlannedField {
  readonly field: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly secret?: SecretState;
}

export interface PlannedChange {
  readonly action: PlanAction;
  readonly family: Family;
  readonly key: string;
  /** Null for a record that does not exist yet. */
  readonly id: number | null;
  readonly fields: readonly PlannedField[];
}

export type PlanSummary = Readonly<Record<PlanAction, number>>;

/** A record and its manager. */
export interface Ownership extends ManagedBy {
  readonly family: Family;
  readonly id: number;
}

/** A problem that does not prevent a plan. */
export interface PlanWarning {
  /** The path in the document, such as `plugin_configs[3].config.token`. */
  readonly attr: string;
  readonly detail: string;
}

/** The changes that a declaration would make, as callers see them. */
export interface PlanReport {
  /** The versions of what the plan has read. */
  readonly base: string;
  readonly changes: readonly PlannedChange[];
  readonly summary: PlanSummary;
  /** The protected records that the declaration would delete. */
  readonly conflicts: readonly Ownership[];
  readonly warnings: readonly PlanWarning[];
}

/** The result of an apply. Contains no configuration values, because it is stored for repeated requests. */
export interface Applied extends Pick<PlanReport, 'base' | 'summary' | 'changes'> {
  readonly applyId: string;
}
