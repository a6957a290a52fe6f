import type { FieldChange } from '../activity/activity-entry.ts';
import { MASK, readValues, type Configured } from '../configuration/configuration.ts';
import { replaceConfiguration } from '../configuration/replace-configuration.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import type { Author } from '../kernel/author.ts';
import { notFound } from '../kernel/domain-error.ts';
import type { Patience } from '@plugin-config/flow';
import type { ConfigRecord, Precondition } from '../record/config-record.ts';
import type { ConfigRecordStore, PlannedWrite } from '../record/config-record-store.ts';
import { changesOf } from '../record/describe-change.ts';
import { configurationWrite } from '../record/set-configuration.ts';
import type { StoredConfiguration } from '../record/stored-configuration.ts';
import { storeChange } from '../record/update-record.ts';
import type { EditionStore } from './edition-store.ts';
import type { Edition } from './edition.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly editions: EditionStore;
  readonly secretBox: SecretBox;
}

interface Command {
  readonly record: ConfigRecord;
  readonly number: number;
  readonly precondition: Precondition;
  readonly author: Author;
  readonly patience?: Patience | undefined;
}

/** A record that has the name, the description and the configuration of an earlier edition again. */
export interface RestoredRecord {
  readonly record: ConfigRecord;
  /** The keys of the secrets that the edition had and the record has no more. */
  readonly missing: readonly string[];
}

/** Changes the record back to an edition, as a new one. */
export async function restoreEdition(
  { records, editions, secretBox }: Dependencies,
  { number, author, ...command }: Command,
): Promise<RestoredRecord> {
  const edition = await editions.find(command.record, number);
  if (edition === null) throw notFound();
  let missing: readonly string[] = [];
  const record = await storeChange({ records }, command, async (before) => {
    const stored = await records.configuration(before);
    if (stored === null) throw notFound();
    const decided = decideRestore({ before, stored, edition, author }, secretBox);
    ({ missing } = decided);
    return decided.write;
  });
  return { record, missing };
}

interface Restore {
  readonly before: ConfigRecord;
  readonly stored: StoredConfiguration;
  readonly edition: Pick<Edition, 'name' | 'description' | 'config'>;
  readonly author: Author;
}

interface DecidedRestore extends Pick<RestoredRecord, 'missing'> {
  /** Null if nothing changes. */
  readonly write: PlannedWrite | null;
}

function decideRestore({ before, stored, edition, author }: Restore, box: SecretBox): DecidedRestore {
  const { name, description } = edition;
  const named = { ...before, name, description };
  const fields = changesOf(before, named);
  const { missing, ...replacement } = restoreConfiguration(stored, edition.config, {
    box,
    others: fields,
  });
  // The configuration was read at another version: let the save fail and decide again.
  const isCurrent = stored.record.version === before.version;
  const { changes, more } = replacement;
  if (changes.length === 0 && more === undefined && isCurrent) return { write: null, missing };
  const write = configurationWrite(named, replacement, author);
  if (changes.length > fields.length || more !== undefined) return { write, missing };
  return { write: { ...write, activity: { ...write.activity, activity: 'updated' } }, missing };
}

interface Options {
  readonly box: SecretBox;
  readonly others?: readonly FieldChange[];
}

/**
 * Replaces the configuration by an earlier one. Secrets stay as they are: an entry that is secret now, or was then, is not taken
 * over. `missing` has the keys of those that the earlier one had and the record has no more.
 * @throws DomainError as `replaceConfiguration` does, if the schema of the plugin refuses the earlier one now
 */
export function restoreConfiguration(
  stored: Configured,
  earlier: string,
  { box, others = [] }: Options,
): ReturnType<typeof replaceConfiguration> & Pick<RestoredRecord, 'missing'> {
  const declared = stored.plugin?.configSchema?.filter(({ secret }) => secret === true) ?? [];
  const secret = new Set([...stored.secrets.keys(), ...declared.map(({ key }) => key)]);
  const values = [...readValues(earlier)];
  const plain = values.filter(([key, value]) => value !== MASK && !secret.has(key));
  const replacement = replaceConfiguration(stored, Object.fromEntries(plain), box, { others });
  const missing = values
    .filter(([key, value]) => (value === MASK || secret.has(key)) && value !== null && value !== '')
    .map(([key]) => key)
    .filter((key) => !replacement.secrets.has(key));
  return { ...replacement, missing };
}
