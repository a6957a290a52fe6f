import { checkSchema } from '../configuration/check-schema.ts';
import type { Author } from '../kernel/author.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { checkJobs, publishedSchema } from '../plugin/register-plugin.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import type { PluginVersion, PluginVersionStore, VersionContent } from './plugin-version.ts';

interface Dependencies {
  readonly pluginVersions: Pick<PluginVersionStore, 'register'>;
  readonly jsonSchemas: JsonSchemas;
}

export async function registerVersion(
  { pluginVersions, jsonSchemas }: Dependencies,
  plugin: PluginRef,
  version: VersionContent,
  author: Author,
): Promise<PluginVersion | null> {
  checkSchema(jsonSchemas, version.configSchema ?? []);
  checkJobs(jsonSchemas, version.jobs ?? []);
  const { configSchema, secretDefaults } = publishedSchema(version.configSchema);
  return pluginVersions.register(
    plugin,
    { ...version, ...(configSchema && { configSchema }) },
    secretDefaults,
    author,
  );
}
