import { checkConfiguration, replaceConfiguration } from '../configuration/replace-configuration.ts';
import type { Author } from '../kernel/author.ts';
import { requireSameBody, type IdempotencyKey, type Once } from '../idempotency/idempotency-key.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Registration } from '../plugin/plugin.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore, CreateOptions } from './config-record-store.ts';
import { draftRecord, type ConfigRecord, type RecordChange, type RecordDraft } from './config-record.ts';
import type { FamilyRef } from '../project/family.ts';
import { repeatUntilStored } from './update-record.ts';

interface Dependencies {
  readonly records: Pick<ConfigRecordStore, 'create' | 'createOnce' | 'kept'>;
  readonly plugins: Pick<PluginStore, 'registration'>;
  readonly requireRegistered: boolean;
}

interface Command {
  readonly family: FamilyRef;
  readonly fields: RecordChange;
  /** The configuration; absent for none. */
  readonly config?: JsonObject | undefined;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

export function createRecord(dependencies: Dependencies, command: Command): Promise<ConfigRecord> {
  const { records, requireRegistered } = dependencies;
  const { family, fields, author, deadline } = command;
  const draft = draftRecord(fields);
  return repeatUntilStored(deadline, async () => {
    const decided = await decide(dependencies, draft, command);
    return records.create(family, draft, { author, requireRegistered, deadline, ...decided });
  });
}

/**
 * Creates the record, unless an earlier request with this key did: then returns that record, as it was created, even if its
 * configuration would be rejected now.
 */
export async function createRecordOnce(
  dependencies: Dependencies,
  command: Command,
  key: IdempotencyKey,
): Promise<Once<ConfigRecord>> {
  const { records, requireRegistered } = dependencies;
  const { family, fields, author, deadline } = command;
  const draft = draftRecord(fields);
  const created = await repeatUntilStored(deadline, async () => {
    let decided: Decided;
    try {
      decided = await decide(dependencies, draft, command);
    } catch (error) {
      const kept = await records.kept(family, draft, key);
      if (kept === null) throw error;
      return kept;
    }
    const options = { author, requireRegistered, deadline, ...decided };
    return records.createOnce(family, draft, options, key);
  });
  return requireSameBody(key, created);
}

type Decided = Pick<CreateOptions, 'configuration' | 'decidedBy'>;

async function decide(
  { plugins }: Pick<Dependencies, 'plugins'>,
  draft: RecordDraft,
  { config }: Pick<Command, 'config'>,
): Promise<Decided> {
  if (config === undefined && !draft.enabled) return {};
  return decideConfiguration(draft, config, await plugins.registration(draft.plugin));
}

/**
 * Returns the configuration of a new record.
 * @throws DomainError with all errors, if the schema rejects the configuration that is sent, or the empty one of an enabled record
 */
export function decideConfiguration(
  { enabled }: Pick<RecordDraft, 'enabled'>,
  config: JsonObject | undefined,
  registration: Registration,
): Decided {
  const decidedBy = registration.version;
  const none = { ...registration, values: '{}' };
  if (config !== undefined) {
    const configuration = replaceConfiguration(none, config);
    return configuration.isSame ? { decidedBy } : { decidedBy, configuration };
  }
  if (enabled) checkConfiguration(none);
  return { decidedBy };
}
