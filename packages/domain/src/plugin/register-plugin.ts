import type { Author } from '../kernel/author.ts';
import { checkSchema } from '../configuration/check-schema.ts';
import type { ConfigField } from '../configuration/config-field.ts';
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
  const secretDefaults = schema.flatMap(({ key, secret, default: value }) =>
    secret === true && value != null ? [[key, value] as const] : [],
  );
  const published = { ...plugin, ...(plugin.configSchema && { configSchema: schema.map(withoutSecret) }) };
  return plugins.register(published, new Map(secretDefaults), author);
}

function checkJobs(jobs: readonly JobType[], payloads: PayloadSchemas): void {
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
