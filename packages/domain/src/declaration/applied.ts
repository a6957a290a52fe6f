import type { Json } from '../kernel/json.ts';
import type { PlannedChange, PlanSummary, SecretState } from './plan.ts';

/** A field as the answer to an apply tells it, which is kept: without values of the configuration. */
export interface AppliedField {
  readonly field: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly secret?: SecretState;
}

/** What an apply has changed. */
export interface Applied {
  readonly applyId: string;
  readonly summary: PlanSummary;
  readonly changes: readonly (Omit<PlannedChange, 'fields'> & { readonly fields: readonly AppliedField[] })[];
  readonly base: string;
}
