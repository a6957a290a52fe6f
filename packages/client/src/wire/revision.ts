import type { ConfigRecord } from './record.ts';

/** The name, the description and the configuration of a record after a change of one of them. */
export interface Revision {
  /** Counts the revisions of the record; 1 is its creation. */
  readonly number: number;
  readonly created_at: string;
  /** `key_id` is null for an operator's command. */
  readonly actor: { readonly key_id: number | null; readonly label: string };
  /** The id of the request that made the change. */
  readonly request_id: string | null;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON text of the configuration; secret values are masked. */
  readonly config: string;
}

/** The record after a revision was restored. */
export interface RestoredConfigRecord extends ConfigRecord {
  /** The secrets that the revision had and the record has no more. */
  readonly missing_secrets: readonly string[];
}
