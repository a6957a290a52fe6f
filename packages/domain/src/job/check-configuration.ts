import { readValues, withDefaults } from '../configuration/configuration.ts';
import { replaceConfiguration } from '../configuration/replace-configuration.ts';
import type { Author } from '../kernel/author.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { pluginIdOf } from '../plugin/plugin-ref.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { FamilyRef } from '../project/family.ts';
import type { ConfigurationValues } from '../record/configured-record.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import { NEW_JOB } from './job.ts';
import { checkJob } from './plugin-job.ts';
import type { PluginJobStore } from './plugin-job-store.ts';

/** How long a check is kept after its end. */
export const CHECKS_KEPT_MS = 3_600_000;

interface Dependencies {
  readonly pluginJobs: Pick<PluginJobStore, 'queueCheck'>;
  readonly plugins: Pick<PluginStore, 'registration' | 'idsOf'>;
  readonly configurationValues: ConfigurationValues;
  readonly randomness: Randomness;
  readonly jsonSchemas: JsonSchemas;
}

interface Command {
  readonly family: FamilyRef;
  readonly plugin: PluginRef;
  readonly config: JsonObject;
  /** The record whose secrets stand for masked entries, and whose version of the plugin decides. */
  readonly recordId: number | null;
  readonly author: Author;
}

/**
 * Queues a test of a configuration by a runtime, and returns its id.
 * @throws DomainError if the schema rejects the configuration, or the plugin has no such test
 */
export async function queueCheck(
  { pluginJobs, plugins, configurationValues, randomness, jsonSchemas }: Dependencies,
  { family, plugin: ref, config, recordId, author }: Command,
): Promise<string> {
  const plugin = await pluginIdOf({ plugins }, ref);
  const stored = recordId === null ? null : await configurationValues.of({ ...family, id: recordId });
  if (recordId !== null && stored?.record.plugin !== plugin) {
    throw invalidInput('record', 'There is no such record of this plugin.');
  }
  const basis = stored ?? { ...(await plugins.registration(plugin)), values: '{}', jsonSchemas };
  if (basis.plugin?.checks !== true) {
    throw invalidInput('plugin', 'The runtimes of this plugin do not test configurations.');
  }
  const { values } = replaceConfiguration(basis, config);
  const draft = Object.fromEntries(withDefaults(readValues(values), basis.defaults));
  const id = randomness.uuid();
  const { actor, requestId, at: createdAt } = author;
  const check = { ...NEW_JOB, ...checkJob(plugin, draft), id, family, actor, requestId, createdAt };
  await pluginJobs.queueCheck(check);
  return id;
}
