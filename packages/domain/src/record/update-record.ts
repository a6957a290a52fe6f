import type { Author } from '../kernel/author.ts';
import { changesOf, describeChange, notBefore } from './describe-change.ts';
import { DomainError, notFound, tooManyChanges } from '../kernel/domain-error.ts';
import type { RecordRef } from '../project/family.ts';
import { pluginInfo } from '../plugin/plugin.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { Configured } from '../configuration/configuration.ts';
import { RECORD_TEXTS } from '../vocabulary/vocabulary.ts';
import {
  checkConfiguration,
  replaceConfiguration,
  type Replacement,
} from '../configuration/replace-configuration.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { ConfigurationValues, RecordWithValues } from './configured-record.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore, PlannedWrite } from './config-record-store.ts';
import {
  changeRecord,
  checkPrecondition,
  formerPluginsAfter,
  mustBeValid,
  replacementOf,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
  type UnversionedRecord,
} from './config-record.ts';

export interface UpdateDependencies extends AttachDependencies {
  readonly records: Pick<ConfigRecordStore, 'find' | 'save'>;
  readonly configurationValues: ConfigurationValues;
  readonly plugins: Pick<PluginStore, 'registration'>;
}

export interface UpdateCommand {
  /** The last version read. Compare-and-swap detects whether it is current. */
  readonly record: ConfigRecord;
  /** Reads the record again after another writer was faster. Defaults to `records.find`. */
  readonly current?: () => Promise<ConfigRecord>;
  readonly precondition: Precondition;
  readonly change: RecordChange;
  /** Returns the new configuration; absent if it stays the same. */
  readonly newConfig?: Update['newConfig'];
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

export function updateRecord(
  dependencies: UpdateDependencies,
  command: UpdateCommand,
): Promise<ConfigRecord> {
  const { change, newConfig, author } = command;
  return storeChange(dependencies, command, (before) =>
    decideUpdate(dependencies, before, {
      change,
      newConfig,
      author,
      registration: (plugin) => dependencies.plugins.registration(plugin),
      configured: () => dependencies.configurationValues.of(before),
    }),
  );
}

/** Replaces every writable field. */
export async function replaceRecord(
  dependencies: UpdateDependencies,
  { change, ...command }: UpdateCommand,
): Promise<ConfigRecord> {
  return updateRecord(dependencies, { ...command, change: replacementOf(change) });
}

export function deleteRecord(
  dependencies: UpdateDependencies,
  command: Omit<UpdateCommand, 'change'>,
): Promise<ConfigRecord> {
  return updateRecord(dependencies, { ...command, change: { deleted: true } });
}

/** More than there are requests that a process handles at a time, each of which may be faster once. */
const MAX_ATTEMPTS = 1000;

/**
 * Stores a change by compare-and-swap. If another writer was faster, runs `decide` again on the current record.
 * `decide` returns null if there is nothing to change.
 */
export async function storeChange(
  { records }: { readonly records: Pick<ConfigRecordStore, 'find' | 'save'> },
  command: Pick<UpdateCommand, 'record' | 'current' | 'precondition' | 'deadline'>,
  decide: (before: ConfigRecord) => PlannedWrite | null | Promise<PlannedWrite | null>,
): Promise<ConfigRecord> {
  const { deadline } = command;
  return untilStored({ records }, command, async (before) => {
    const write = await decide(before);
    return write === null ? before : records.save({ before, ...write, deadline });
  });
}

/**
 * Calls `store` with the record, and again with the current one each time it resolves to null because another writer
 * was faster.
 */
export async function untilStored<T>(
  { records }: { readonly records: Pick<ConfigRecordStore, 'find'> },
  {
    record,
    current = () => found({ records }, record),
    precondition,
    deadline,
  }: Pick<UpdateCommand, 'record' | 'current' | 'precondition' | 'deadline'>,
  store: (before: ConfigRecord) => Promise<T | null>,
): Promise<T> {
  let isOutdated = false;
  return repeatUntilStored(deadline, async () => {
    const before = isOutdated ? await current() : record;
    isOutdated = true;
    checkPrecondition(precondition, before.version);
    return store(before);
  });
}

/** Calls `store` again each time it resolves to null because what it was decided by has changed. */
export async function repeatUntilStored<T>(
  deadline: Deadline | undefined,
  store: () => Promise<T | null>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0 && deadline !== undefined && deadline.remainingMs() <= 0) break;
    const stored = await store();
    if (stored !== null) return stored;
  }
  throw tooManyChanges({ retryAfterSeconds: 1 });
}

async function found(
  { records }: { readonly records: Pick<ConfigRecordStore, 'find'> },
  ref: RecordRef,
): Promise<ConfigRecord> {
  const { value } = await records.find(ref);
  if (value === null) throw notFound();
  return value;
}

export interface AttachDependencies {
  readonly requireRegistered: boolean;
}

export interface Update {
  readonly change: RecordChange;
  readonly author: Author;
  /** Returns the new configuration; undefined if it stays the same. */
  readonly newConfig?: ((stored: Configured) => JsonObject) | undefined;
  /** Reads the registration of another plugin. */
  readonly registration: (plugin: number) => Promise<Registration>;
  readonly configured: () => Promise<RecordWithValues | null>;
}

/** Returns the write of an update, or null if nothing changes. */
export async function decideUpdate(
  dependencies: AttachDependencies,
  before: ConfigRecord,
  { change, newConfig, author, ...reads }: Update,
): Promise<PlannedWrite | null> {
  const changed = changeRecord(before, change);
  const attached = changed.plugin === before.plugin ? null : await reads.registration(changed.plugin);
  const after = attached === null ? changed : attach(dependencies, before, changed, attached);
  const isJudged = after.pluginInfo !== null && mustBeValid(before, after, newConfig !== undefined);
  if (newConfig === undefined && !isJudged)
    return after === before ? null : updateWrite(before, after, author);
  const stored = await reads.configured();
  if (stored === null) throw notFound();
  const secretNames = new Set([...stored.secretNames, ...(attached?.secretNames ?? [])]);
  const configured = { ...stored, ...attached, secretNames };
  const replacement =
    newConfig === undefined
      ? null
      : replaceConfiguration(configured, newConfig(configured), { others: changesOf(before, after) });
  if (isJudged) checkConfiguration({ ...configured, values: replacement?.values ?? stored.values });
  // If the configuration was read at a different version, the save fails and this decides again.
  const isCurrent = stored.record.version === before.version;
  const isSame = replacement?.changes.length === 0 && replacement.more === undefined && after === before;
  return isSame && isCurrent ? null : changeWrite(before, after, replacement, author);
}

/** Returns the write that changes the fields and the configuration of a record, with one activity entry. */
export function changeWrite(
  before: ConfigRecord,
  after: UnversionedRecord,
  replacement: Replacement | null,
  author: Author,
): PlannedWrite {
  const write = updateWrite(before, after, author);
  if (replacement === null) return write;
  const configured = configurationWrite({ ...before, ...after }, replacement, author);
  const { activity } = write.activity;
  return activity === 'updated'
    ? configured
    : { ...configured, activity: { ...configured.activity, activity } };
}

/**
 * Returns the write that gives a record a new configuration. If the values equal the stored values, the record version is bumped
 * but the configuration version is not: runtimes have nothing to apply.
 */
export function configurationWrite(
  before: ConfigRecord,
  { values, isSame, config, replaced, ...changes }: Replacement,
  requestedBy: Author,
): PlannedWrite {
  const author = notBefore(requestedBy, before.updatedAt);
  return {
    after: before,
    ...(!isSame && { values }),
    ended: { config: replaced === config ? null : replaced },
    activity: { ...author, activity: 'config_updated', ...changes },
  };
}

export function updateWrite(
  before: ConfigRecord,
  after: UnversionedRecord,
  requestedBy: Author,
): PlannedWrite {
  const isRenamed = RECORD_TEXTS.some((text) => after[text] !== before[text]);
  return {
    after,
    activity: describeChange(before, after, notBefore(requestedBy, before.updatedAt)),
    ...(isRenamed && { ended: { config: null } }),
  };
}

/** Attaches the record to another plugin. Secrets of its former plugins stay secret. */
export function attach(
  { requireRegistered }: AttachDependencies,
  before: ConfigRecord,
  after: UnversionedRecord,
  { plugin, registryVersion, schemaVersion }: Registration,
): UnversionedRecord {
  if (requireRegistered && plugin === null) throw unregistered(after.plugin);
  const versions = [before.registryVersion, registryVersion].filter((each) => each !== null);
  return {
    ...after,
    pluginInfo: plugin && pluginInfo(plugin),
    formerPlugins: formerPluginsAfter(before),
    schemaVersion,
    pinnedVersion: null,
    registryVersion: versions.length === 0 ? null : Math.max(...versions),
  };
}

export function unregistered(plugin: number): DomainError {
  return new DomainError('does_not_exist', `No plugin ${plugin} is registered.`, { attr: 'plugin' });
}
