import type { Json } from '../kernel/json.ts';
import type { Family } from '../project/family.ts';

/** What a plan tells of a secret, in place of its value. `unknown`: no value was sent, and none is stored. */
export const SECRET_STATES = ['set', 'changed', 'unchanged', 'cleared', 'unknown'] as const;

export type SecretState = (typeof SECRET_STATES)[number];

/** What changes of a field: its value, or the state of a secret. */
export interface PlannedField {
  readonly field: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly secret?: SecretState;
}

export const PLAN_ACTIONS = ['create', 'update', 'delete', 'restore', 'move'] as const;

/** What becomes of a record. `move`: nothing but its position changes. */
export type PlanAction = (typeof PLAN_ACTIONS)[number];

export interface PlannedChange {
  readonly action: PlanAction;
  readonly family: Family;
  readonly key: string;
  /** Null for a record that is not created yet. */
  readonly id: number | null;
  readonly fields: readonly PlannedField[];
}

export type PlanSummary = Readonly<Record<PlanAction, number>>;

/** A record that prevents what was asked for. */
export interface Conflict {
  readonly family: Family;
  readonly id: number;
  readonly key: string;
  readonly manager: string;
}

/** Something that the author of a declaration may want to know. */
export interface PlanWarning {
  /** The place in the document, such as `plugin_configs[3].config.token`. */
  readonly attr: string;
  readonly detail: string;
}

/** What a declaration would change, as callers see it. */
export interface PlanReport {
  /** Names the state that the plan was made of. */
  readonly base: string;
  /** Names the plan: another declaration, other secrets or another state give another digest. */
  readonly digest: string;
  readonly changes: readonly PlannedChange[];
  readonly summary: PlanSummary;
  /** The records that the declaration would delete although they are protected. */
  readonly conflicts: readonly Conflict[];
  readonly warnings: readonly PlanWarning[];
}

/** What an apply has changed: kept for those who repeat the request, and so without values of configurations. */
export interface Applied extends Pick<PlanReport, 'base' | 'summary' | 'changes'> {
  readonly applyId: string;
}

export function summaryOf(changes: readonly PlannedChange[]): PlanSummary {
  const summary = { create: 0, update: 0, delete: 0, restore: 0, move: 0 };
  for (const { action } of changes) summary[action]++;
  return summary;
}
