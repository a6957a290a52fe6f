import type { Author } from '../kernel/author.ts';
import { notBefore } from './describe-change.ts';
import { notFound } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore, PlannedWrite } from './config-record-store.ts';
import type { ConfigRecord, Precondition } from './config-record.ts';
import { replaceConfiguration, type Replacement } from '../configuration/replace-configuration.ts';
import type { ConfigurationValues } from './configured-record.ts';
import { storeChange } from './update-record.ts';

interface Dependencies {
  readonly records: ConfigRecordStore;
  readonly configurationValues: ConfigurationValues;
}

interface Command {
  readonly record: ConfigRecord;
  readonly current?: () => Promise<ConfigRecord>;
  readonly precondition: Precondition;
  readonly newConfig: JsonObject;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

export async function setConfiguration(
  { records, configurationValues }: Dependencies,
  command: Command,
): Promise<ConfigRecord> {
  const { newConfig, author } = command;
  return storeChange({ records }, command, async (before) => {
    const stored = await configurationValues.of(before);
    if (stored === null) throw notFound();
    const replacement = replaceConfiguration(stored, newConfig);
    // The configuration was read at a different version: let the save fail and decide again.
    const isCurrent = stored.record.version === before.version;
    if (replacement.changes.length === 0 && replacement.more === undefined && isCurrent) return null;
    return configurationWrite(before, replacement, author);
  });
}

/**
 * Returns the write that gives a record a new configuration. If the values are the stored ones, the record version is
 * bumped but the configuration version is not: runtimes have nothing to apply.
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
