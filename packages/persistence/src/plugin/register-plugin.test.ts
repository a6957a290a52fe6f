import {
  finishRegistrations,
  registerPlugin,
  setConfiguration,
  updateRecord,
  type ConfigField,
  type ConfigRecord,
  type Plugin,
  type PluginStore,
} from '@plugin-config/domain';
import {
  aFamily,
  allPlugins,
  anAuthor,
  aPlugin,
  aRecord,
  memorySecretBox,
  registerAndSeal,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const SCHEMA: readonly ConfigField[] = [
  { key: 'host', type: 'string', default: 'localhost' },
  { key: 'retries', type: 'number', default: 0 },
  { key: 'path', type: 'string' },
  { key: 'token', type: 'string', secret: true, default: 'geheim' },
];

const test = testWithPorts();

describe('registering a plugin', () => {
  test('new records start with the defaults of the schema', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const record = await aRecord(ports, await aFamily(ports));
    expect(JSON.parse(record.config)).toEqual({ host: 'localhost', retries: 0, token: '********' });
    const secrets = (await ports.records.configuration(record))?.secrets;
    expect([...(secrets ?? [])].map(([key, sealed]) => [key, memorySecretBox().open(sealed)])).toEqual([
      ['token', '"geheim"'],
    ]);
  });

  test('the schema is shown without the defaults of secrets', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const record = await aRecord(ports, await aFamily(ports));
    const { plugins, activity } = ports;
    const visible = [
      await plugins.find(7),
      await allPlugins(plugins),
      record,
      await activity.page(record, { limit: 9, offset: 0 }),
    ];
    expect(JSON.stringify(visible)).not.toContain('geheim');
    expect(JSON.parse(record.pluginInfo ?? '')).toEqual({
      id: 7,
      name: 'Plugin',
      config_schema: [...SCHEMA.slice(0, 3), { key: 'token', type: 'string', secret: true }],
    });
  });

  test('a registration that cannot be finished does not keep the others from it, and is reported', async (ports) => {
    const { plugins } = ports;
    const secretBox = memorySecretBox();
    const records = await Promise.all(
      [7, 8].map(async (plugin) => aRecord(ports, await aFamily(ports), { plugin })),
    );
    for (const { plugin } of records) {
      await registerPlugin({ plugins, secretBox }, aPlugin({ id: plugin, configSchema: SCHEMA }), anAuthor());
    }
    const failure = new Error('plugin 7 fails');
    const sealNext: PluginStore['sealNext'] = async (plugin, conceal) => {
      if (plugin.id === 7) throw failure;
      return plugins.sealNext(plugin, conceal);
    };
    const finishing = finishRegistrations({ plugins: { ...plugins, sealNext }, secretBox });
    await expect(finishing).rejects.toBe(failure);
    expect([...(await plugins.unsealed([7, 8])).keys()]).toEqual([7]);
    expect(await plugins.unfinished()).toEqual([7]);
    await finishRegistrations({ plugins, secretBox });
    expect((await plugins.unsealed([7, 8])).size).toBe(0);
    expect(await plugins.unfinished()).toEqual([]);
  });

  test('a value that a later schema marks as secret appears in no answer and no history', async (ports) => {
    const family = await aFamily(ports);
    const dependencies = { records: ports.records, secretBox: memorySecretBox(), requireRegistered: false };
    const set = async (plugin: number): Promise<ConfigRecord> => {
      const record = await aRecord(ports, family, { plugin });
      const newConfig = { token: ['geheim', { deep: 'geheim' }], host: 'open' };
      return setConfiguration(dependencies, { record, precondition: null, newConfig, author: anAuthor() });
    };
    const [registeredLater, attachedLater] = [await set(7), await set(8)];
    await register(ports, aPlugin({ configSchema: [{ key: 'token', type: 'json', secret: true }] }));
    const change = { record: attachedLater, precondition: null, change: { plugin: 7 }, author: anAuthor() };
    await updateRecord(dependencies, change);
    for (const record of [registeredLater, attachedLater]) {
      const { items } = await ports.activity.page(record, { limit: 9, offset: 0 });
      const visible = JSON.stringify([items, await ports.records.find(record)]);
      expect(visible).not.toContain('geheim');
      expect(visible).toContain('open');
      expect(visible).toContain('config.token');
    }
  });

  test('a plugin without a schema seeds nothing', async (ports) => {
    await register(ports, aPlugin());
    expect((await aRecord(ports, await aFamily(ports))).config).toBe('{}');
  });

  test('an unusable schema is refused, and the registered plugin stays', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const before = await ports.plugins.find(7);
    const registering = register(ports, aPlugin({ configSchema: [...SCHEMA, ...SCHEMA] }));
    await expect(registering).rejects.toMatchObject({ code: 'invalid_input', attr: 'config_schema' });
    expect(await ports.plugins.find(7)).toEqual(before);
  });
});

function register({ plugins }: Ports, plugin: Plugin): Promise<void> {
  return registerAndSeal({ plugins, secretBox: memorySecretBox() }, plugin);
}
