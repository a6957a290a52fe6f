import type { Author } from '../kernel/author.ts';
import type { Json } from '../kernel/json.ts';

export const ACTIVITIES = [
  'created',
  'updated',
  'enabled',
  'disabled',
  'deleted',
  'restored',
  'rearranged',
  'config_updated',
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
  /** The number of changes left out of `changes`; absent if there are none. */
  readonly more?: number;
}

export interface ActivityEntry extends NewActivity {
  readonly id: number;
}
