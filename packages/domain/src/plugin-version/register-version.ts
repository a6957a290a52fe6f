import { checkSchema } from '../configuration/check-schema.ts';
import type { Author } from '../kernel/author.ts';
import type { PayloadSchemas } from '../plugin/payload-schemas.ts';
import { checkJobs, publishedSchema } from '../plugin/register-plugin.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import type { PluginVersion, PluginVersionStore, VersionContent } from './plugin-version.ts';

interface Dependencies {
  readonly pluginVersions: Pick<PluginVersionStore, 'register'>;
  readonly payloads: PayloadSchemas;
}

export async function registerVersion(
  { pluginVersions, payloads }: Dependencies,
  plugin: PluginRef,
  version: VersionContent,
  author: Author,
): Promise<PluginVersion | null> {
  checkSchema(version.configSchema ?? []);
  checkJobs(version.jobs ?? [], payloads);
  const { configSchema, secretDefaults } = publishedSchema(version.configSchema);
  return pluginVersions.register(
    plugin,
    { ...version, ...(configSchema && { configSchema }) },
    secretDefaults,
    author,
  );
}
