import type { FieldChange } from '../activity/activity-entry.ts';
import { readValues, type Configured } from '../configuration/configuration.ts';
import { checkConfiguration, replaceConfiguration } from '../configuration/replace-configuration.ts';
import type { ConfigurationValues, RecordWithValues } from '../record/configured-record.ts';
import type { Author } from '../kernel/author.ts';
import { notFound } from '../kernel/domain-error.ts';
import { perText, type RecordText } from '../vocabulary/vocabulary.ts';
import { mustBeValid, type ConfigRecord } from '../record/config-record.ts';
import type { ConfigRecordStore, PlannedWrite } from '../record/config-record-store.ts';
import { changesOf } from '../record/describe-change.ts';
import { configurationWrite, untilStored, type UpdateCommand } from '../record/update-record.ts';
import type { PluginVersionStore, TargetVersion } from '../plugin-version/plugin-version.ts';
import { shownAs } from '../plugin-version/upgrade-record.ts';
import type { RevisionStore, Revision, RestoredRecord } from './revision-store.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly revisions: RevisionStore;
  readonly configurationValues: ConfigurationValues;
  readonly pluginVersions: Pick<PluginVersionStore, 'target'>;
}

interface Command extends Omit<UpdateCommand, 'change' | 'newConfig'> {
  readonly number: number;
}

/**
 * Restores a revision, as a new revision of the record, unless an earlier request with the author's key did: then returns the
 * response to that request, without checking the precondition.
 */
export async function restoreRevision(dependencies: Dependencies, command: Command): Promise<RestoredRecord> {
  const { records, revisions } = dependencies;
  const { author, deadline } = command;
  const kept = await revisions.kept(author);
  if (kept !== null) return kept;
  const decide = await decider(dependencies, command);
  return untilStored({ records }, command, async (before) => {
    const { write, missing } = await decide(before);
    const whole = write && { before, ...write, deadline };
    if (author.once !== undefined)
      return revisions.restore({ before, write: whole, missing, author, deadline });
    const stored = whole === null ? before : await records.save(whole);
    return stored && { record: stored, missing };
  });
}

/** Returns a function that decides how restoring the revision changes a record. */
async function decider(
  { revisions, configurationValues, pluginVersions }: Dependencies,
  { record, number, author }: Command,
): Promise<(before: ConfigRecord) => Promise<DecidedRestore>> {
  const revision = await revisions.find(record, number);
  if (revision === null) throw notFound();
  return async (before) => {
    const stored = await configurationValues.of(before);
    if (stored === null) throw notFound();
    const target = await earlierTarget({ pluginVersions }, before, revision);
    return decideRestore({ before, stored, revision, target, author });
  };
}

/** Returns the version whose schema the revision follows; null if that of the record holds for it. */
async function earlierTarget(
  { pluginVersions }: Pick<Dependencies, 'pluginVersions'>,
  { plugin, schemaVersion, formerPlugins }: ConfigRecord,
  revision: Revision,
): Promise<TargetVersion | null> {
  // The schema versions of another plugin say nothing.
  if (revision.schemaVersion === schemaVersion || formerPlugins.length > 0) return null;
  const target = await pluginVersions.target(plugin, revision.pinnedVersion, revision.schemaVersion);
  return target?.schemaVersion === revision.schemaVersion ? target : null;
}

interface Basis {
  readonly before: ConfigRecord;
  readonly stored: RecordWithValues;
  readonly revision: Pick<Revision, RecordText | 'config'>;
  /** The version that the record is pinned to, if its schema is another one. */
  readonly target: TargetVersion | null;
  readonly author: Author;
}

interface DecidedRestore extends Pick<RestoredRecord, 'missing'> {
  /** Null if nothing changes. */
  readonly write: PlannedWrite | null;
}

function decideRestore({ before, stored: current, revision, target, author }: Basis): DecidedRestore {
  const pinned = target && { schemaVersion: target.schemaVersion, pinnedVersion: target.version };
  const renamed = { ...before, ...perText((text) => revision[text]), ...pinned };
  const named = target === null ? renamed : shownAs(renamed, target);
  const { secretNames } = current;
  const stored = { ...current, ...target?.registration, secretNames };
  const fields = changesOf(before, named);
  const unchecked = restoreConfiguration({ ...stored, plugin: null }, revision.config, fields);
  // A configuration that stays may be one that a newer schema rejects.
  const { missing, ...replacement } = unchecked.isSame
    ? unchecked
    : restoreConfiguration(stored, revision.config, fields);
  if (mustBeValid(before, named, !replacement.isSame || target !== null))
    checkConfiguration({ ...stored, values: replacement.values });
  // The configuration was read at a different version: let the save fail and decide again.
  const isCurrent = stored.record.version === before.version;
  const { changes, more } = replacement;
  if (changes.length === 0 && more === undefined && isCurrent) return { write: null, missing };
  const write = configurationWrite(named, replacement, author);
  if (changes.length > fields.length || more !== undefined) return { write, missing };
  return { write: { ...write, activity: { ...write.activity, activity: 'updated' } }, missing };
}

/**
 * Replaces the configuration with an earlier one, which has masked secrets. Current secret entries are kept.
 * `missing` has the keys of secrets that only the earlier one had.
 * @throws DomainError as `replaceConfiguration` does, if the current schema rejects the earlier configuration
 */
export function restoreConfiguration(
  stored: Configured,
  earlier: string,
  others: readonly FieldChange[] = [],
): ReturnType<typeof replaceConfiguration> & Pick<RestoredRecord, 'missing'> {
  const values = [...readValues(earlier)];
  const plain = values.filter(([key]) => !stored.secretNames.has(key));
  const replacement = replaceConfiguration(stored, Object.fromEntries(plain), { others });
  const restored = readValues(replacement.config);
  const missing = values
    .filter(([key, value]) => stored.secretNames.has(key) && value !== null && value !== '')
    .map(([key]) => key)
    .filter((key) => !restored.has(key));
  return { ...replacement, missing };
}
