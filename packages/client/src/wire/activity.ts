import type { Json } from './json.ts';
import type { Page, PageQuery } from './page.ts';
import type { ConfigRecord } from './record.ts';

/** One change of a record: who made it, when, and each field before and after. */
export interface ActivityEntry {
  readonly id: number;
  readonly activity: Activity;
  readonly created_at: string;
  /** `key_id` is null for an operator's command. */
  readonly actor: { readonly key_id: number | null; readonly label: string };
  readonly changes: readonly { readonly field: string; readonly before: Json; readonly after: Json }[];
  /** The number of further changes that the entry leaves out; absent if there are none. */
  readonly more?: number | undefined;
  /** The id of the request that made the change. */
  readonly request_id: string | null;
  /** The apply of a document that the change is a part of; absent if it is none. */
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

/** One change of one of the records. */
export interface FamilyActivityEntry extends ActivityEntry {
  /** The id of the record that changed. */
  readonly record: number;
}

export interface FamilyActivityQuery extends PageQuery {
  /** Only changes by the key with this id, or by commands of the operator. */
  readonly actor?: number | 'operator' | undefined;
  readonly activity?: Activity | undefined;
  /** Only changes of the record with this id. */
  readonly record?: number | undefined;
  /** Only later changes. */
  readonly after?: Date | string | undefined;
  /** Only earlier changes. */
  readonly before?: Date | string | undefined;
}

/** The record and, beside its fields, one page of its history, newest first. */
export interface ActivityPage extends ConfigRecord, Page<ActivityEntry> {}
