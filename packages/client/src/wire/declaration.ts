import type { Family } from './family.ts';
import type { Json, JsonObject } from './json.ts';
import type { PageQuery } from './page.ts';

/** The desired state of the records of a manager. A field that is absent is not managed; null clears it. */
export interface Document {
  readonly format: 1;
  readonly manager: string;
  /** If absent, the family is not changed. If empty, an apply leaves the manager no records in it. */
  readonly plugin_configs?: readonly DeclaredRecord[] | undefined;
  readonly pipeline_transformation_configs?: readonly DeclaredRecord[] | undefined;
  /** Lists what an export left out. Ignored in requests. */
  readonly warnings?: readonly PlanWarning[] | undefined;
}

/** A warning about a document, with the path of the part that it is about. */
export interface PlanWarning {
  readonly attr: string;
  readonly detail: string;
}

export interface DeclaredRecord {
  /** The key of the record, unique within the project, the family and the manager. */
  readonly key: string;
  readonly plugin: number;
  readonly enabled?: boolean | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** `{ $secret: NAME }` refers to a secret, `{ $literal: value }` is taken literally, and null clears the entry. */
  readonly config?: JsonObject | undefined;
  /** If true, an apply that would delete the record is rejected. */
  readonly prevent_destroy?: boolean | undefined;
  /** The previous key of the record. */
  readonly moved_from?: string | undefined;
}

export interface PlanRequest {
  readonly document: Document;
  /** Secret values by the names used in the document. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

export interface ApplyRequest extends PlanRequest {
  /** The base and the digest of the plan. */
  readonly base: string;
  readonly digest: string;
  /** An apply that would delete more records than this is rejected. Defaults to 0. */
  readonly max_deletes?: number | undefined;
}

export type PlanAction = 'create' | 'update' | 'delete' | 'restore' | 'move';

export interface PlannedField {
  readonly field: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** Replaces the values of a secret. */
  readonly secret?: 'set' | 'changed' | 'unchanged' | 'cleared' | 'unknown' | undefined;
}

export interface PlannedChange {
  readonly action: PlanAction;
  readonly family: Family;
  readonly key: string;
  /** Null if the record does not exist yet. */
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

/** An edited record: which fields were edited, and who edited it last and when. */
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
