import type { ConfigField } from '../configuration/config-field.ts';
import { NO_VALUES, type SecretNames, type Values } from '../configuration/configuration.ts';
import { alreadyExists, invalidInput, type DomainError } from '../kernel/domain-error.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';

/** The id of no plugin. */
export const NO_PLUGIN = 0;

/** A type of job that the runtimes of a plugin take. */
export interface JobType {
  readonly type: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** A JSON Schema; absent if every payload is accepted. */
  readonly payloadSchema?: JsonObject | undefined;
  /** How long a runtime may take, from its claim. */
  readonly timeoutSeconds?: number | undefined;
}

/** A plugin as registered by the operator. */
export interface Plugin {
  readonly id: number;
  /** Unique among all plugins; absent if it has none. */
  readonly slug?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
  readonly configSchema?: readonly ConfigField[] | undefined;
  readonly jobs?: readonly JobType[] | undefined;
  /** Whether its runtimes can test a configuration. */
  readonly checks?: boolean | undefined;
}

export interface NewPlugin extends Omit<Plugin, 'id' | 'slug'> {
  /** A slug that no plugin has registers a new plugin with this slug. */
  readonly id: PluginRef;
  /** Null removes the slug; if absent, the plugin keeps its own. */
  readonly slug?: string | null | undefined;
}

/** Returns the plugin as JSON text, as records show it: without JSON Schemas, which may be large. */
export function pluginInfo({ configSchema, jobs, ...plugin }: Plugin): string {
  const types = jobs?.map(({ type, name, description }) => ({ type, name, description }));
  const fields = configSchema?.map((field) => fieldInfo({ ...field, schema: undefined }));
  return JSON.stringify({ ...plugin, jobs: types, config_schema: fields });
}

/** Returns a field of a schema as it is shown. */
export function fieldInfo({ runtimeWritable, ...field }: ConfigField): object {
  return { ...field, runtime_writable: runtimeWritable };
}

/** Returns a type of job as it is shown. */
export function jobInfo({ payloadSchema, timeoutSeconds, ...job }: JobType): object {
  return { ...job, payload_schema: payloadSchema, timeout_seconds: timeoutSeconds };
}

/** Returns the part of the plugin that a browser may see, as JSON text. */
export function browserPluginInfo({ id, name, icon, url }: Plugin): string {
  return JSON.stringify({ id, name, icon: icon ?? null, url: url ?? null });
}

function secretFields({ configSchema = [] }: Pick<Plugin, 'configSchema'>): readonly string[] {
  return configSchema.filter(({ secret }) => secret === true).map(({ key }) => key);
}

/** How a record is attached to its plugin, which determines how it is shown. */
export interface Attachment {
  readonly plugin: number;
  /** The plugins that the record was attached to before. Their secrets stay masked. */
  readonly formerPlugins: readonly number[];
  /**
   * The registry version at the last registration or removal of its current or former plugins, on which masking
   * depends; null if there was none.
   */
  readonly registryVersion: number | null;
  /** The schema version that the configuration follows. */
  readonly schemaVersion: number;
  /** The version of the plugin that the record keeps; null if it follows the current one. */
  readonly pinnedVersion: string | null;
}

/** The current state of a plugin id, registered or not. */
export interface Registration {
  /** Null if the plugin is not registered. */
  readonly plugin: Plugin | null;
  /** The registry version at its last registration or removal; null if there was none. */
  readonly registryVersion: number | null;
  /** The version of the plugin; null if it is not registered. */
  readonly version: string | null;
  readonly schemaVersion: number;
  /** Every field name that any registration of this id has declared secret. */
  readonly secretNames: SecretNames;
  /** The defaults of its schema, including secrets. */
  readonly defaults: Values;
}

/** The state of a plugin id that was never registered. */
export const NOT_REGISTERED: Registration = {
  plugin: null,
  registryVersion: null,
  version: null,
  schemaVersion: 1,
  secretNames: new Set(),
  defaults: NO_VALUES,
};

/** Limits how much each plugin can occupy in process memory. */
const SECRET_NAMES_MAX = 1000;

/** Returns the secret names of a plugin after a registration: once secret, always secret. */
export function mergeSecretNames(
  before: Iterable<string>,
  plugin: Pick<Plugin, 'configSchema'>,
): readonly string[] {
  const names = [...new Set([...before, ...secretFields(plugin)])];
  if (names.length <= SECRET_NAMES_MAX) return names;
  const message = `The registrations of this plugin have declared ${names.length} fields secret; at most ${SECRET_NAMES_MAX} are allowed.`;
  throw invalidInput('config_schema', message);
}

/** Rejects the fields that the versions of a plugin declare, for a plugin that has versions. */
export function checkOnlyTexts({
  configSchema,
  jobs,
  checks,
}: Pick<NewPlugin, 'configSchema' | 'jobs' | 'checks'>): void {
  for (const [attr, value] of Object.entries({ config_schema: configSchema, jobs, checks })) {
    if (value !== undefined)
      throw invalidInput(attr, 'The versions of this plugin declare this. Register a version instead.');
  }
}

export function slugTaken(): DomainError {
  return alreadyExists('slug', 'Another plugin has this slug.');
}
