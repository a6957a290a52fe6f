import type { Author } from '../kernel/author.ts';
import type { ConfigRecord } from '../record/config-record.ts';

/** The name, the description and the configuration of a record after a change of one of them, and the author of the change. */
export interface Revision extends Author {
  /** Counts the revisions of a record from 1, the one at its creation. */
  readonly number: number;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON text with masked secrets. What was secret when the revision ended is not stored with it. */
  readonly config: string;
}

/** A record that has the name, the description and the configuration of an earlier revision again. */
export interface RestoredRecord {
  readonly record: ConfigRecord;
  /** The keys of the secrets that the revision had and the record has no more. */
  readonly missing: readonly string[];
}
