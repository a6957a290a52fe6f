import { checkConfiguration, replaceConfiguration } from '../configuration/replace-configuration.ts';
import type { Author } from '../kernel/author.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { Registration } from '../plugin/plugin.ts';
import { pluginIdOf } from '../plugin/plugin-ref.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import type { Deadline } from '@plugin-config/flow';
import type { ConfigRecordStore, CreateOptions } from './config-record-store.ts';
import { draftRecord, type ConfigRecord, type RecordChange, type RecordDraft } from './config-record.ts';
import type { FamilyRef } from '../project/family.ts';
import { repeatUntilStored } from './update-record.ts';

interface Dependencies {
  readonly records: Pick<ConfigRecordStore, 'create' | 'kept'>;
  readonly plugins: Pick<PluginStore, 'registration' | 'idsOf'>;
  readonly jsonSchemas: JsonSchemas;
  readonly requireRegistered: boolean;
}

interface Command {
  readonly family: FamilyRef;
  readonly fields: Omit<RecordChange, 'plugin'> & { readonly plugin?: PluginRef | undefined };
  /** The configuration; absent for none. */
  readonly config?: JsonObject | undefined;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

/**
 * Creates the record, unless an earlier request with the author's key did: then returns that record in its initial state, even if
 * its configuration would be rejected now.
 */
export function createRecord(dependencies: Dependencies, command: Command): Promise<ConfigRecord> {
  const { records, requireRegistered } = dependencies;
  const { family, fields, author, deadline } = command;
  const { plugin: ref } = fields;
  const unresolved = draftRecord({ ...fields, plugin: typeof ref === 'string' ? UNKNOWN_PLUGIN : ref });
  return repeatUntilStored(deadline, async () => {
    let draft = unresolved;
    let decided: Decided;
    try {
      if (typeof ref === 'string') draft = { ...unresolved, plugin: await pluginIdOf(dependencies, ref) };
      decided = await decide(dependencies, draft, command);
    } catch (error) {
      const kept = await records.kept(family, draft, author);
      if (kept === null) throw error;
      return kept;
    }
    return records.create(family, draft, { author, requireRegistered, deadline, ...decided });
  });
}

/** A placeholder for a plugin whose slug is not looked up yet. */
const UNKNOWN_PLUGIN = 0;

type Decided = Pick<CreateOptions, 'configuration' | 'decidedBy'>;

async function decide(
  { plugins, jsonSchemas }: Pick<Dependencies, 'plugins' | 'jsonSchemas'>,
  draft: RecordDraft,
  { config }: Pick<Command, 'config'>,
): Promise<Decided> {
  if (config === undefined && !draft.enabled) return {};
  const registration = await plugins.registration(draft.plugin);
  return decideConfiguration(draft, config, { ...registration, jsonSchemas });
}

/**
 * Returns the configuration of a new record.
 * @throws DomainError with all errors, if the schema rejects the configuration that is sent, or the empty one of an enabled record
 */
export function decideConfiguration(
  { enabled }: Pick<RecordDraft, 'enabled'>,
  config: JsonObject | undefined,
  registration: Registration & Pick<Dependencies, 'jsonSchemas'>,
): Decided {
  const decidedBy = registration.registryVersion;
  const none = { ...registration, values: '{}' };
  if (config !== undefined) {
    const configuration = replaceConfiguration(none, config);
    return configuration.isSame ? { decidedBy } : { decidedBy, configuration };
  }
  if (enabled) checkConfiguration(none);
  return { decidedBy };
}
