import type { Author } from '../kernel/author.ts';
import { describeChange, notBefore } from './describe-change.ts';
import { DomainError, notFound, tooManyChanges } from '../kernel/domain-error.ts';
import type { RecordRef } from '../project/family.ts';
import { pluginInfo } from '../plugin/plugin.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore, PlannedWrite } from './config-record-store.ts';
import {
  changeRecord,
  checkPrecondition,
  formerPluginsAfter,
  replacementOf,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
  type UnversionedRecord,
} from './config-record.ts';

interface Dependencies extends AttachDependencies {
  readonly records: Pick<ConfigRecordStore, 'find' | 'save'>;
  readonly plugins: Pick<PluginStore, 'registration'>;
}

interface Command {
  /** The last version read. Compare-and-swap detects whether it is current. */
  readonly record: ConfigRecord;
  /** Reads the record again after another writer was faster. Defaults to `records.find`. */
  readonly current?: () => Promise<ConfigRecord>;
  readonly precondition: Precondition;
  readonly change: RecordChange;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

export function updateRecord(dependencies: Dependencies, command: Command): Promise<ConfigRecord> {
  const { change, author } = command;
  return storeChange(dependencies, command, (before) =>
    decideUpdate(dependencies, before, {
      change,
      author,
      registration: (plugin) => dependencies.plugins.registration(plugin),
    }),
  );
}

/** Replaces every writable field. */
export async function replaceRecord(
  dependencies: Dependencies,
  { change, ...command }: Command,
): Promise<ConfigRecord> {
  return updateRecord(dependencies, { ...command, change: replacementOf(change) });
}

export function deleteRecord(
  dependencies: Dependencies,
  command: Omit<Command, 'change'>,
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
  command: Pick<Command, 'record' | 'current' | 'precondition' | 'deadline'>,
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
  }: Pick<Command, 'record' | 'current' | 'precondition' | 'deadline'>,
  store: (before: ConfigRecord) => Promise<T | null>,
): Promise<T> {
  let before = record;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    checkPrecondition(precondition, before.version);
    if (attempt > 0 && deadline !== undefined && deadline.remainingMs() <= 0) break;
    const stored = await store(before);
    if (stored !== null) return stored;
    before = await current();
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
  /** Reads the registration of another plugin. */
  readonly registration: (plugin: number) => Promise<Registration>;
}

/** Returns the write of an update, or null if nothing changes. */
export async function decideUpdate(
  dependencies: AttachDependencies,
  before: ConfigRecord,
  { change, author, registration }: Update,
): Promise<PlannedWrite | null> {
  const after = changeRecord(before, change);
  if (after === before) return null;
  if (after.plugin === before.plugin) return updateWrite(before, after, author);
  const attached = attach(dependencies, { before, after, registration: await registration(after.plugin) });
  return updateWrite(before, attached, author);
}

/** Returns the write that changes the fields of a record. */
export function updateWrite(
  before: ConfigRecord,
  after: UnversionedRecord,
  requestedBy: Author,
): PlannedWrite {
  const isRenamed = after.name !== before.name || after.description !== before.description;
  return {
    after,
    activity: describeChange(before, after, notBefore(requestedBy, before.updatedAt)),
    ...(isRenamed && { ended: { config: null } }),
  };
}

interface Attachment {
  readonly before: ConfigRecord;
  readonly after: UnversionedRecord;
  readonly registration: Registration;
}

/** Attaches the record to another plugin. Secrets of its former plugins stay secret. */
export function attach(
  { requireRegistered }: AttachDependencies,
  { before, after, registration: { plugin, version } }: Attachment,
): UnversionedRecord {
  if (requireRegistered && plugin === null) throw unregistered(after.plugin);
  const versions = [before.pluginVersion, version].filter((each) => each !== null);
  return {
    ...after,
    pluginInfo: plugin && pluginInfo(plugin),
    formerPlugins: formerPluginsAfter(before),
    pluginVersion: versions.length === 0 ? null : Math.max(...versions),
  };
}

export function unregistered(plugin: number): DomainError {
  return new DomainError('does_not_exist', `No plugin ${plugin} is registered.`, { attr: 'plugin' });
}
