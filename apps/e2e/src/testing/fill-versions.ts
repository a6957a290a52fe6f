import type { PluginConfigClient } from '@plugin-config/client';

const PLUGIN = 9004;
const CONFIGURATIONS = [
  { name: 'Receipts', config: { address: 'mail.example.com:587', region: 'eu' } },
  { name: 'Invoices', config: { address: 'mail.example.com:465', region: 'us' } },
  { name: 'Newsletter', config: { address: 'news.example.com:587', region: 'eu', pool: 4 } },
  { name: 'Reminders', config: { address: 'mail.example.com:587', region: 'moon' } },
];

/** Adds a plugin with two versions, and records whose upgrade is clean, lossy or needs input. Returns the last version. */
export async function fillVersions(
  client: PluginConfigClient,
  projectId: number,
): Promise<{ readonly plugin: number; readonly version: string }> {
  const { plugins } = client;
  await plugins.register(PLUGIN, { slug: 'mailer', name: 'Mailer', description: 'Sends e-mails' });
  await plugins.registerVersion(PLUGIN, '1.0.0', {
    schema_version: 1,
    config_schema: [
      { key: 'address', type: 'string', name: 'Address', required: true },
      { key: 'region', type: 'string', name: 'Region' },
      { key: 'pool', type: 'number', name: 'Connections', default: 1 },
    ],
  });
  const { pluginConfigs } = client.project(projectId);
  for (const record of CONFIGURATIONS)
    await pluginConfigs.create({ plugin: PLUGIN, enabled: true, ...record });
  const version = '2.0.0';
  await plugins.registerVersion(PLUGIN, version, {
    schema_version: 2,
    config_schema: [
      { key: 'host', type: 'string', name: 'Host', required: true },
      { key: 'port', type: 'number', name: 'Port' },
      { key: 'region', type: 'choice', name: 'Region', choices: ['eu-west-1', 'us-east-1'], required: true },
    ],
    migrations: [
      {
        from: 1,
        steps: [
          { split: { key: 'address', pattern: '(?<host>[^:]+):(?<port>\\d+)', numbers: ['port'] } },
          { map: { key: 'region', values: { eu: 'eu-west-1', us: 'us-east-1' } } },
          { remove: 'pool' },
        ],
      },
    ],
  });
  await plugins.updateVersion(PLUGIN, version, { state: 'current' });
  return { plugin: PLUGIN, version };
}
