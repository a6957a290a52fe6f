import type { Family } from './family.ts';
import type { Json, JsonObject } from './json.ts';
import type { PageQuery } from './page.ts';

/** What a manager wants its records to be. A field that is absent is not managed, null clears it. */
export interface Document {
  readonly format: 1;
  readonly manager: string;
  /** Absent: the family stays as it is. Empty: the manager owns none. */
  readonly plugin_configs?: readonly DeclaredRecord[] | undefined;
  readonly pipeline_transformation_configs?: readonly DeclaredRecord[] | undefined;
  /** What an export has left out; ignored in requests. */
  readonly warnings?: readonly PlanWarning[] | undefined;
}

/** Something that the author of a document may want to know, and its place in the document. */
export interface PlanWarning {
  readonly attr: string;
  readonly detail: string;
}

export interface DeclaredRecord {
  /** Names the record; unique within project, family and manager. */
  readonly key: string;
  readonly plugin: number;
  readonly enabled?: boolean | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** `{ $secret: NAME }` refers to a secret, `{ $literal: value }` is the value itself, null clears an entry. */
  readonly config?: JsonObject | undefined;
  /** Rejects every apply that would delete the record. */
  readonly prevent_destroy?: boolean | undefined;
  /** The key that the record had so far. */
  readonly moved_from?: string | undefined;
}

export interface PlanRequest {
  readonly document: Document;
  /** The values of secrets, by the names that the document refers to. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

export interface ApplyRequest extends PlanRequest {
  /** Base and digest of the plan. */
  readonly base: string;
  readonly digest: string;
  /** More deletions are rejected; 0 by default. */
  readonly max_deletes?: number | undefined;
}

export type PlanAction = 'create' | 'update' | 'delete' | 'restore' | 'move';

export interface PlannedField {
  readonly field: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** In place of the values of a secret. */
  readonly secret?: 'set' | 'changed' | 'unchanged' | 'cleared' | 'unknown' | undefined;
}

export interface PlannedChange {
  readonly action: PlanAction;
  readonly family: Family;
  readonly key: string;
  /** Null if the record is not created yet. */
  readonly id: number | null;
  readonly fields: readonly PlannedField[];
}

export type PlanSummary = Readonly<Record<PlanAction, number>>;

export interface Plan {
  readonly base: string;
  readonly digest: string;
  readonly summary: PlanSummary;
  readonly changes: readonly PlannedChange[];
  /** Records with `prevent_destroy` that the document would delete. */
  readonly conflicts: readonly OwnedRecord[];
  readonly warnings: readonly PlanWarning[];
}

export interface Applied {
  readonly apply_id: string;
  readonly summary: PlanSummary;
  readonly changes: readonly PlannedChange[];
  readonly base: string;
}

export interface OwnedRecord {
  readonly family: Family;
  readonly id: number;
  readonly key: string;
  readonly manager: string;
}

/** A record that was edited: the fields, and by whom and when at last. */
export interface EditedRecord {
  readonly family: Family;
  readonly id: number;
  /** Null if the manager does not own the record. */
  readonly key: string | null;
  readonly fields: readonly string[];
  readonly actor: { readonly key_id: number | null; readonly label: string } | null;
  readonly at: string | null;
}

export interface Adoption {
  readonly manager: string;
  readonly records: readonly { readonly family: Family; readonly id: number; readonly key: string }[];
}

export interface Release {
  readonly manager: string;
  readonly keys: readonly { readonly family: Family; readonly key: string }[];
}

export interface ManagerQuery {
  readonly manager?: string | undefined;
}

export interface OwnedQuery extends PageQuery, ManagerQuery {}
