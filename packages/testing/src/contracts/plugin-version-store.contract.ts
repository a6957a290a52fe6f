import {
  registerPlugin,
  registerVersion,
  type ConfigField,
  type PluginVersion,
  type VersionContent,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aPlugin, aVersion } from '../builders/a-plugin.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';

const author = anAuthor();
const HOST: ConfigField = { key: 'host', type: 'string' };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true, default: 'hunter2' };

const FIRST = aVersion({ version: '1.0.0', configSchema: [HOST, TOKEN], examples: [{ host: 'a' }] });
const SECOND = aVersion({
  version: '2.0.0',
  schemaVersion: 2,
  configSchema: [
    { ...HOST, key: 'server' },
    { ...TOKEN, key: 'password' },
  ],
  jobs: [{ type: 'replay' }],
  migrations: [
    {
      from: 1,
      steps: [{ rename: { from: 'host', to: 'server' } }, { rename: { from: 'token', to: 'password' } }],
    },
  ],
});

/** The versions of a plugin, of which one is current. */
export function pluginVersionStoreContract(test: TestWith<Ports>): void {
  test('a plugin that is registered without versions has version 0, which a registration replaces', async (ports) => {
    await ports.plugins.register(aPlugin(), new Map(), author);
    await ports.plugins.register(aPlugin({ configSchema: [HOST], checks: true }), new Map(), author);
    expect(await versions(ports)).toEqual([
      {
        ...aVersion({ version: '0', configSchema: [HOST], checks: true }),
        state: 'current',
        message: null,
        upgradeBy: null,
        registeredAt: author.at,
        records: 0,
      },
    ]);
  });

  test('a plugin that is not registered has no versions', async (ports) => {
    expect(await ports.pluginVersions.page(7, [], WHOLE)).toBeNull();
    expect(await register(ports, FIRST)).toBeNull();
    expect(await ports.pluginVersions.change(7, '0', { state: 'current' }, author)).toBeNull();
    await ports.plugins.register(aPlugin(), new Map(), author);
    expect(await ports.pluginVersions.change(7, '9', { state: 'current' }, author)).toBeNull();
    await ports.plugins.remove(7, author);
    expect(await ports.pluginVersions.page(7, [], WHOLE)).toBeNull();
  });

  test('the first version of a plugin that declares nothing becomes current, the next one is supported', async (ports) => {
    await ports.plugins.register(aPlugin({ url: 'https://example.com' }), new Map(), author);
    expect(await register(ports, FIRST)).toMatchObject({ state: 'current', version: '1.0.0' });
    expect(await register(ports, SECOND)).toMatchObject({ state: 'supported', version: '2.0.0' });
    expect((await versions(ports)).map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
    const { plugin, defaults, secretNames } = await ports.plugins.registration(7);
    expect(plugin).toEqual(
      aPlugin({ url: 'https://example.com', configSchema: [HOST, { ...TOKEN, default: undefined }] }),
    );
    expect([...defaults]).toEqual([['token', 'hunter2']]);
    expect([...secretNames]).toEqual(['token', 'password']);
  });

  test('a version that becomes current registers the plugin as it says', async (ports) => {
    await ports.plugins.register(aPlugin(), new Map(), author);
    await register(ports, FIRST);
    await register(ports, SECOND);
    const before = await ports.plugins.registration(7);
    await ports.pluginVersions.change(7, '2.0.0', { state: 'current' }, author);
    const after = await ports.plugins.registration(7);
    expect(after.plugin).toMatchObject({ jobs: [{ type: 'replay' }] });
    expect(after.plugin?.configSchema?.map(({ key }) => key)).toEqual(['server', 'password']);
    expect([...after.defaults]).toEqual([['password', 'hunter2']]);
    expect(after.registryVersion).toBeGreaterThan(before.registryVersion ?? 0);
    expect((await versions(ports)).map(({ state }) => state)).toEqual(['current', 'supported']);
  });

  test('a registration of a plugin with versions changes its texts alone', async (ports) => {
    await ports.plugins.register(aPlugin(), new Map(), author);
    await register(ports, FIRST);
    const renamed = { ...aPlugin(), name: 'Renamed', url: 'https://example.com' };
    await ports.plugins.register(renamed, new Map(), author);
    const { plugin, defaults } = await ports.plugins.registration(7);
    expect(plugin).toMatchObject({ ...renamed, configSchema: [{ key: 'host' }, { key: 'token' }] });
    expect([...defaults]).toEqual([['token', 'hunter2']]);
    for (const more of [{ configSchema: [HOST] }, { jobs: [] }, { checks: true }]) {
      await expect(registerPlugin(ports, { ...renamed, ...more }, author)).rejects.toMatchObject({
        code: 'invalid_input',
        attr: Object.keys(more)[0]?.replace('configSchema', 'config_schema'),
      });
    }
  });

  test('registering the same version again changes nothing, and another one is rejected', async (ports) => {
    await ports.plugins.register(aPlugin(), new Map(), author);
    const first = await register(ports, FIRST);
    const { registryVersion } = await ports.plugins.registration(7);
    expect(await register(ports, { ...FIRST })).toEqual(first);
    expect((await ports.plugins.registration(7)).registryVersion).toBe(registryVersion);
    const others: readonly Partial<VersionContent>[] = [
      { checks: true },
      { examples: [] },
      { configSchema: [HOST, { ...TOKEN, default: 'other' }] },
      { configSchema: [HOST, { ...TOKEN, default: undefined }] },
    ];
    for (const other of others) {
      await expect(register(ports, { ...FIRST, ...other })).rejects.toMatchObject({ code: 'already_exists' });
    }
    expect(await versions(ports)).toHaveLength(1);
  });

  test('only a deprecated version has a message and a date', async (ports) => {
    await ports.plugins.register(aPlugin(), new Map(), author);
    await register(ports, FIRST);
    await register(ports, SECOND);
    const upgradeBy = new Date('2027-06-01T00:00:00.000Z');
    const deprecated = { state: 'deprecated', message: 'Its API ends.', upgradeBy } as const;
    expect(await ports.pluginVersions.change(7, '2.0.0', deprecated, author)).toMatchObject(deprecated);
    const change = { state: 'withdrawn' } as const;
    expect(await ports.pluginVersions.change(7, '2.0.0', change, author)).toMatchObject({
      state: 'withdrawn',
      message: null,
      upgradeBy: null,
    });
    await expect(ports.pluginVersions.change(7, '1.0.0', change, author)).rejects.toMatchObject({
      attr: 'state',
    });
  });
}

const WHOLE = { limit: 1000, offset: 0 };

async function versions({ pluginVersions }: Ports): Promise<readonly PluginVersion[]> {
  return (await pluginVersions.page(7, [], WHOLE))?.items ?? [];
}

function register(ports: Ports, version: VersionContent): Promise<PluginVersion | null> {
  return registerVersion(ports, 7, version, author);
}
