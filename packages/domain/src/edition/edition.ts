import { maskConfiguration } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import type { ConfigRecord } from '../record/config-record.ts';

/** The name, the description and the configuration of a record after a change of one of them, and the author of the change. */
export interface Edition extends Author {
  /** Counts the editions of a record from 1, the one at its creation. */
  readonly number: number;
  readonly name: string | null;
  readonly description: string | null;
  /** JSON text with masked secrets. The values of secrets are in no edition but the current one. */
  readonly config: string;
}

/** A record that has the name, the description and the configuration of an earlier edition again. */
export interface RestoredRecord {
  readonly record: ConfigRecord;
  /** The keys of the secrets that the edition had and the record has no more. */
  readonly missing: readonly string[];
}

/** Masks the entries that have become secret. Returns the same edition if it shows none. */
export function concealEdition(edition: Edition, secretFields: ReadonlySet<string>): Edition {
  const config = maskConfiguration(edition.config, secretFields);
  return config === edition.config ? edition : { ...edition, config };
}
