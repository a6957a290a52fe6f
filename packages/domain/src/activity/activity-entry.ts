import type { Author } from '../kernel/author.ts';
import type { Json } from '../kernel/json.ts';

/** The activities that change the record itself. */
export const CHANGES_OF_RECORD = [
  'created',
  'updated',
  'enabled',
  'disabled',
  'deleted',
  'restored',
  'rearranged',
  'config_updated',
] as const;

export const ACTIVITIES = [
  ...CHANGES_OF_RECORD,
  'job_queued',
  'job_succeeded',
  'job_failed',
  'job_cancelled',
] as const;

export type Activity = (typeof ACTIVITIES)[number];

export interface FieldChange {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

export interface NewActivity extends Author {
  readonly activity: Activity;
  readonly changes: readonly FieldChange[];
  /** How many changes were left out of `changes`; absent if none. */
  readonly more?: number;
}

export interface ActivityEntry extends NewActivity {
  readonly id: number;
}
