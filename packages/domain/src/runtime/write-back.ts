import type { Deadline } from '@plugin-config/flow';
import { grantsPlugin, type KeyGrant } from '../access/api-key.ts';
import { rejectEach } from '../configuration/reject-each.ts';
import {
  isValidConfiguration,
  patchedConfiguration,
  replaceConfiguration,
} from '../configuration/replace-configuration.ts';
import { MASK } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import { DomainError, invalidInput, notFound } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ConfigRecordStore, PlannedWrite } from '../record/config-record-store.ts';
import type { ConfigurationValues, RecordWithValues } from '../record/configured-record.ts';
import { configurationWrite, repeatUntilStored } from '../record/update-record.ts';
import type { Family } from '../vocabulary/vocabulary.ts';
import type { ProjectFeed } from './project-feed.ts';
import type { RuntimeConfigurations } from './runtime-configurations.ts';

interface Dependencies {
  readonly feed: Pick<ProjectFeed, 'projectOf'>;
  readonly records: Pick<ConfigRecordStore, 'save'>;
  readonly configurationValues: ConfigurationValues;
  readonly configurations: Pick<RuntimeConfigurations, 'versionsAround'>;
}

interface Command extends WriteBack {
  readonly family: Family;
  readonly recordId: number;
  readonly key: Pick<KeyGrant, 'projectIds' | 'pluginIds'>;
  /** The plugins whose records the runtime gets; empty for all. */
  readonly plugins: readonly number[];
  readonly deadline?: Deadline | undefined;
}

interface WriteBack {
  /** The version of the configuration that the runtime has. */
  readonly configVersion: number;
  /** The new values by key. Null removes an entry. */
  readonly set: JsonObject;
  readonly author: Author;
}

export interface WrittenBack {
  readonly configVersion: number;
  /** The version of the project's configuration for the runtime, if nothing else has changed since `previousVersion`. */
  readonly version: string | null;
  readonly previousVersion: string | null;
}

/**
 * Stores secrets that a runtime has changed, such as a refresh token that can be used once. A disabled record is written, too: the
 * old value may be of no use any more.
 * @throws DomainError `stale_version` if the configuration has another version
 */
export function writeBack(dependencies: Dependencies, command: Command): Promise<WrittenBack> {
  const { feed, records, configurationValues, configurations } = dependencies;
  const { family, recordId, key, plugins, deadline } = command;
  return repeatUntilStored(deadline, async () => {
    const projectId = await feed.projectOf(family, recordId, key);
    if (projectId === null) throw notFound();
    const stored = await configurationValues.of({ projectId, family, id: recordId });
    // It may have been attached to another plugin, or deleted, since it was found.
    if (stored === null || stored.record.deleted || !grantsPlugin(key, stored.record.plugin))
      throw notFound();
    const { record: before } = stored;
    const { write, configVersion, isValid } = decideWriteBack(stored, command);
    const written = { id: recordId, configVersion, valid: isValid };
    const versions = await configurations.versionsAround({ projectId, family, plugins }, written);
    const saved = write === null ? before : await records.save({ before, ...write, deadline });
    return saved && { configVersion, version: versions.after, previousVersion: versions.before };
  });
}

interface DecidedWriteBack {
  /** Null if nothing changes. */
  readonly write: PlannedWrite | null;
  /** The version of the configuration after the write. */
  readonly configVersion: number;
  /** Whether the plugin accepts the new configuration. */
  readonly isValid: boolean;
}

/**
 * Returns the write of a write-back, which ends no revision. Only the written entries are checked: other entries must not cost the
 * runtime a value that it cannot get again.
 */
export function decideWriteBack(
  stored: RecordWithValues,
  { configVersion, set, author }: WriteBack,
): DecidedWriteBack {
  const { record: before, plugin } = stored;
  if (before.configVersion !== configVersion) throw staleConfiguration(before.configVersion);
  const fields = (plugin?.configSchema ?? []).filter(({ key }) => Object.hasOwn(set, key));
  const writable = new Set(
    fields.filter(({ runtimeWritable }) => runtimeWritable === true).map(({ key }) => key),
  );
  rejectEach(
    Object.entries(set).map(([key, value]) => () => {
      if (!writable.has(key)) throw invalidInput(key, 'Runtimes may not write this entry.');
      if (value === MASK) throw invalidInput(key, 'A value is required, not its mask.');
    }),
  );
  const replacement = replaceConfiguration(
    { ...stored, plugin: { configSchema: fields } },
    patchedConfiguration(stored, set),
    { isKept: (key) => !Object.hasOwn(set, key) },
  );
  const isValid = isValidConfiguration({ ...stored, values: replacement.values });
  const { changes, more } = replacement;
  if (changes.length === 0 && more === undefined) return { write: null, configVersion, isValid };
  const { ended: _, activity, ...write } = configurationWrite(before, replacement, author);
  return {
    write: {
      ...write,
      activity: { ...activity, activity: 'config_written' },
      ...(!isValid && { staysInvalid: true }),
    },
    configVersion: configVersion + (replacement.isSame ? 0 : 1),
    isValid,
  };
}

function staleConfiguration(current: number): DomainError {
  return new DomainError(
    'stale_version',
    `The configuration has changed: its version is ${current}. Read it again.`,
    { attr: 'config_version' },
  );
}
