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

export interface Actor {
  /** Null for a command of the operator. */
  readonly keyId: number | null;
  readonly label: string;
}

/** The actor of a change, its time and its request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly at: Date;
}

/**
 * Moves the time forward to `moment` if it is earlier. Requests are not stored in the order of their arrival, but the
 * times of a history must not decrease.
 */
export function notBefore(author: Author, moment: Date): Author {
  return author.at < moment ? { ...author, at: moment } : author;
}

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
