import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
import type { Values } from '../configuration/configuration.ts';
import type { PayloadSchemas } from './payload-schemas.ts';
import { invalidInput } from '../kernel/domain-error.ts';
import type { JobType, NewPlugin } from './plugin.ts';
import type { PluginStore, RegisteredPlugin } from './plugin-store.ts';

interface Dependencies {
  readonly plugins: PluginStore;
  readonly payloads: PayloadSchemas;
}

export async function registerPlugin(
  { plugins, payloads }: Dependencies,
  plugin: NewPlugin,
  author: Author,
): Promise<RegisteredPlugin> {
  const schema = plugin.configSchema ?? [];
  checkSchema(schema);
  checkJobs(plugin.jobs ?? [], payloads);
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

export function checkJobs(jobs: readonly JobType[], payloads: PayloadSchemas): void {
  const types = new Set<string>();
  for (const { type, payloadSchema } of jobs) {
    if (types.has(type)) throw invalidInput('jobs', `The type "${type}" occurs twice.`);
    types.add(type);
    if (payloadSchema !== undefined) payloads.check(payloadSchema);
  }
}

function withoutSecret(field: ConfigField): ConfigField {
  return field.secret === true ? { ...field, default: undefined } : field;
}
