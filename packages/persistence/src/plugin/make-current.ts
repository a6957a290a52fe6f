import { defaultsOf, NO_VALUES, type RecordCounts } from '@plugin-config/domain';
import type pg from 'pg';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { storedDefaults } from '../configuration/registrations.ts';
import { countRecords } from './count-records.ts';
import { markInvalid } from './mark-invalid.ts';
import { pluginAs } from './plugin-as.ts';
import { storePlugin, type StoredPlugin } from './registry.ts';
import { versionOf, type StoredVersion } from './version-rows.ts';

/** Registers the plugin as a version says, marks its records and counts them. */
export async function makeCurrent(
  client: pg.ClientBase,
  { isDry, masterKeys }: Pick<EncryptedDatabase, 'isDry' | 'masterKeys'>,
  plugin: Omit<StoredPlugin, 'registryVersion'>,
  stored: StoredVersion,
): Promise<RecordCounts> {
  const { version, schemaVersion, configSchema, jobs, checks, info, defaultsBytes, secretDefaults } = stored;
  const content = { configSchema, jobs, checks, version, schemaVersion, info, defaultsBytes, secretDefaults };
  await storePlugin(client, { ...plugin, ...content });
  const records = await countRecords(client, plugin.id);
  // A dry run that would not count them need not make the writers of all these records wait.
  if (isDry && records.invalid === null) return records;
  const secrets =
    secretDefaults === null
      ? NO_VALUES
      : storedDefaults(await serviceKey(client, masterKeys), plugin.id, secretDefaults);
  const invalid = await markInvalid(client, masterKeys, {
    plugin: pluginAs(plugin, versionOf(stored)),
    defaults: defaultsOf(configSchema ?? [], secrets),
    secretNames: new Set(plugin.secretNames),
    schemaVersion: plugin.versioned ? schemaVersion : null,
  });
  return records.invalid === null ? records : { ...records, invalid };
}
