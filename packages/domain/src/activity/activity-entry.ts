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
  /** Null for an operator's command. */
  readonly keyId: number | null;
  readonly label: string;
}

/** Who does something, when, and on which request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly at: Date;
}

/** Requests are stored in another order than they arrived in, and no history turns back in time. */
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
  /** How many changes there were beside those that are told; absent where all are. */
  readonly more?: number;
}

export interface ActivityEntry extends NewActivity {
  readonly id: number;
}

export const OPERATOR: Actor = { keyId: null, label: 'operator' };
