import type { ConfigRecord } from './record.ts';

/** The name, description and configuration of a record after a change to one of them. */
export interface Revision {
  /** The number of the revision within the record; 1 is its creation. */
  readonly number: number;
  readonly created_at: string;
  /** `key_id` is null for an operator's command. */
  readonly actor: { readonly key_id: number | null; readonly label: string };
  /** The id of the request that made the change. */
  readonly request_id: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** The configuration as JSON text, with secret values masked. */
  readonly config: string;
}

/** The record after a revision was restored. */
export interface RestoredConfigRecord extends ConfigRecord {
  /** Secrets that the revision had and the record no longer has. */
  readonly missing_secrets: readonly string[];
}
