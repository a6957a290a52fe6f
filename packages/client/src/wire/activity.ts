import type { Json } from './json.ts';
import type { Page, PageQuery } from './page.ts';
import type { ConfigRecord } from './record.ts';

/** A change to a record: who made it, when, and each field before and after. */
export interface ActivityEntry {
  readonly id: number;
  readonly activity: Activity;
  readonly created_at: string;
  /** `key_id` is null for an operator's command. */
  readonly actor: { readonly key_id: number | null; readonly label: string };
  readonly changes: readonly { readonly field: string; readonly before: Json; readonly after: Json }[];
  /** The number of further changes that were left out; absent if there are none. */
  readonly more?: number | undefined;
  /** The id of the request that made the change. */
  readonly request_id: string | null;
  /** The id of the apply that made the change; absent if it was not an apply. */
  readonly apply_id?: string | undefined;
}

export type Activity =
  | 'created'
  | 'updated'
  | 'enabled'
  | 'disabled'
  | 'deleted'
  | 'restored'
  | 'rearranged'
  | 'config_updated'
  | 'job_queued'
  | 'job_succeeded'
  | 'job_failed'
  | 'job_cancelled';

/** A change to one of the records. */
export interface FamilyActivityEntry extends ActivityEntry {
  /** The id of the record that changed. */
  readonly record: number;
}

export interface FamilyActivityQuery extends PageQuery {
  /** Only changes made with the key of this id, or by operator commands. */
  readonly actor?: number | 'operator' | undefined;
  readonly activity?: Activity | undefined;
  /** Only changes to the record with this id. */
  readonly record?: number | undefined;
  /** Only changes after this time. */
  readonly after?: Date | string | undefined;
  /** Only changes before this time. */
  readonly before?: Date | string | undefined;
}

/** The fields of the record, together with one page of its history, newest first. */
export interface ActivityPage extends ConfigRecord, Page<ActivityEntry> {}
