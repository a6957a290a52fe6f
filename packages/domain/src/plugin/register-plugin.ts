import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { Values } from '../configuration/configuration.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import type { JobType, NewPlugin } from './plugin.ts';
import type { PluginStore, RegisteredPlugin } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
  readonly jsonSchemas: JsonSchemas;
}

export async function registerPlugin(
  { plugins, jsonSchemas }: Dependencies,
  plugin: NewPlugin,
  author: Author,
): Promise<RegisteredPlugin> {
  checkSchema(jsonSchemas, plugin.configSchema ?? []);
  checkJobs(jsonSchemas, plugin.jobs ?? []);
  const { configSchema, secretDefaults } = publishedSchema(plugin.configSchema);
  return plugins.register({ ...plugin, ...(configSchema && { configSchema }) }, secretDefaults, author);
}

/** Separates the defaults of secret fields from a schema. */
export function publishedSchema(schema: readonly ConfigField[] | undefined): {
  readonly configSchema: readonly ConfigField[] | undefined;
  readonly secretDefaults: Values;
} {
  const secretDefaults = (schema ?? []).flatMap(({ key, secret, default: value }) =>
    secret === true && value != null ? [[key, value] as const] : [],
  );
  return { configSchema: schema?.map(withoutSecret), secretDefaults: new Map(secretDefaults) };
}

export function checkJobs(jsonSchemas: JsonSchemas, jobs: readonly JobType[]): void {
  const types = new Set<string>();
  for (const { type, payloadSchema } of jobs) {
    if (types.has(type)) throw invalidInput('jobs', `The type "${type}" occurs twice.`);
    types.add(type);
    const rejected = { attr: 'jobs', subject: `The "payload_schema" of "${type}"` };
    if (payloadSchema !== undefined) jsonSchemas.check(payloadSchema, rejected);
  }
}

function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
