import type { Author } from '../kernel/author.ts';
import { describeChange, notBefore } from './describe-change.ts';
import { DomainError, notFound, tooManyChanges } from '../kernel/domain-error.ts';
import { pluginInfo } from '../plugin/plugin.ts';
import type { Patience } from '@plugin-config/flow';
import { conceal } from '../configuration/configuration.ts';
import type { ConfigRecordStore, PlannedWrite } from './config-record-store.ts';
import {
  changeRecord,
  checkPrecondition,
  replacementOf,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
  type UnversionedRecord,
} from './config-record.ts';
import type { SecretBox } from '../configuration/secret-box.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

interface Dependencies extends AttachDependencies {
  readonly records: Pick<ConfigRecordStore, 'find' | 'save' | 'configuration'>;
}

interface Command {
  /** As it was read last: compare-and-swap tells whether it is current. */
  readonly record: ConfigRecord;
  /** Reads the current record, if `record` is only recalled: then nothing but a stored change may follow from it. */
  readonly reread?: (() => Promise<ConfigRecord>) | null;
  readonly precondition: Precondition;
  readonly change: RecordChange;
  readonly author: Author;
  readonly patience?: Patience | undefined;
}

export function updateRecord(dependencies: Dependencies, command: Command): Promise<ConfigRecord> {
  const { change, author } = command;
  return storeChange(dependencies, command, (before) =>
    decideUpdate(dependencies, before, {
      change,
      author,
      configuration: (plugin) => dependencies.records.configuration(before, plugin),
    }),
  );
}

/** Replaces every field that a request may write. */
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

const MAX_ATTEMPTS = 32;

/**
 * Stores a change by compare-and-swap. If another writer was faster, `decide` runs again on the current record. It
 * returns null if there is nothing to change.
 */
export async function storeChange(
  { records }: { readonly records: Pick<ConfigRecordStore, 'find' | 'save'> },
  { reread = null, ...command }: Pick<Command, 'record' | 'reread' | 'precondition' | 'patience'>,
  decide: (before: ConfigRecord) => PlannedWrite | null | Promise<PlannedWrite | null>,
): Promise<ConfigRecord> {
  const { precondition, patience } = command;
  let { record } = command;
  if (reread !== null) {
    const write = await unlessRefused(() => {
      checkPrecondition(precondition, record.version);
      return decide(record);
    });
    const stored = write && (await records.save({ before: record, ...write, patience }));
    if (stored !== null) return stored;
    record = await reread();
  }
  return untilStored({ records }, { ...command, record }, async (before) => {
    const write = await decide(before);
    return write === null ? before : records.save({ before, ...write, patience });
  });
}

async function unlessRefused<T>(decide: () => T | null | Promise<T | null>): Promise<T | null> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** Calls `store` on the record, and again on the current one while it resolves to null: another writer was faster. */
export async function untilStored<T>(
  { records }: { readonly records: Pick<ConfigRecordStore, 'find'> },
  { record, precondition, patience }: Pick<Command, 'record' | 'precondition' | 'patience'>,
  store: (before: ConfigRecord) => Promise<T | null>,
): Promise<T> {
  let before = record;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    checkPrecondition(precondition, before.version);
    if (attempt > 0 && patience !== undefined && patience.left() <= 0) break;
    const stored = await store(before);
    if (stored !== null) return stored;
    const { value } = await records.find(before);
    if (value === null) throw notFound();
    before = value;
  }
  throw tooManyChanges({ retryAfterSeconds: 1 });
}

export interface AttachDependencies {
  readonly secretBox: SecretBox;
  readonly requireRegistered: boolean;
}

export interface Update {
  readonly change: RecordChange;
  readonly author: Author;
  /** Reads the record's configuration and the schema of another plugin. */
  readonly configuration: (plugin: number) => Promise<StoredConfiguration | null>;
}

/** The record after the change, or null if nothing changes. */
export async function decideUpdate(
  dependencies: AttachDependencies,
  before: ConfigRecord,
  { change, author: requestedBy, configuration }: Update,
): Promise<PlannedWrite | null> {
  const author = notBefore(requestedBy, before.updatedAt);
  const after = changeRecord(before, change);
  if (after === before) return null;
  const activity = describeChange(before, after, author);
  const write = {
    activity,
    ...((after.name !== before.name || after.description !== before.description) && {
      ended: { config: null },
    }),
  };
  if (after.plugin === before.plugin) return { ...write, after };
  return { ...write, ...attach(dependencies, after, await configuration(after.plugin)) };
}

/** Seals the values that the new plugin declares secret, before an answer can show them. */
function attach(
  { secretBox, requireRegistered }: AttachDependencies,
  after: UnversionedRecord,
  stored: StoredConfiguration | null,
): Omit<PlannedWrite, 'activity' | 'ended'> {
  if (stored === null) throw notFound();
  if (requireRegistered && stored.plugin === null) throw unregistered(after.plugin);
  const { plugin, pluginRevision } = stored;
  const before = { config: stored.record.config, secrets: stored.secrets };
  const concealed = conceal(before, plugin?.configSchema ?? [], secretBox);
  const attached = { ...after, pluginInfo: plugin && pluginInfo(plugin), pluginRevision };
  if (concealed === before) return { after: attached };
  return { after: { ...attached, config: concealed.config }, secrets: concealed.secrets };
}

export function unregistered(plugin: number): DomainError {
  return new DomainError('does_not_exist', `No plugin ${plugin} is registered.`, { attr: 'plugin' });
}
