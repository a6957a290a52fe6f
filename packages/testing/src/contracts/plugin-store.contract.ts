import {
  pluginInfo,
  registerPlugin,
  type ConfigField,
  type ConfigRecord,
  type Plugin,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { memorySecretBox } from '../memory/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { historyOf, standingOf } from './reading.ts';

const EMPTY = { config: '{}', secrets: new Map<string, string>() };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };

const WHOLE_PLUGIN: Plugin = {
  id: 2_147_483_647,
  name: 'Größe 🚀',
  description: 'A "quoted" text',
  url: 'https://example.com/plugin',
  icon: 'https://example.com/icon.png',
  configSchema: [
    {
      key: 'host',
      name: 'Host',
      type: 'string',
      default: 'localhost',
      required: true,
      hint: 'Where it runs',
    },
    { key: 'mode', type: 'choice', choices: ['b', 'a'], site: true },
    { key: 'extra', type: 'json', default: { b: [1, null], a: { bell: '\u0007' } } },
    TOKEN,
  ],
};

export function pluginStoreContract(test: TestWith<Ports>): void {
  for (const plugin of [aPlugin(), WHOLE_PLUGIN]) {
    test(`plugin ${plugin.id} is found as it was registered`, async (ports) => {
      await register(ports, plugin);
      expect(await ports.plugins.find(plugin.id)).toEqual(plugin);
      expect(await ports.plugins.list()).toEqual([plugin]);
      const { id } = plugin;
      const record = await aRecord(ports, await aFamily(ports), { plugin: id });
      expect(record.pluginInfo).toBe(pluginInfo(plugin));
    });
  }

  test('a plugin that is not registered is not found', async (ports) => {
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.plugins.find(8)).toBeNull();
  });

  test('plugins are listed by id', async (ports) => {
    for (const id of [20, 3, 100]) await register(ports, aPlugin({ id }));
    expect((await ports.plugins.list()).map(({ id }) => id)).toEqual([3, 20, 100]);
  });

  test('registered again, a plugin is replaced as a whole', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    await register(ports, WHOLE_PLUGIN);
    const plain = aPlugin({ id: WHOLE_PLUGIN.id });
    await register(ports, plain);
    expect(await ports.plugins.list()).toEqual([plain]);
    expect((await ports.records.find(record)).value?.pluginInfo).toBe(pluginInfo(plain));
  });

  test('what is registered is told by the records that attach it, and is no change of theirs', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 7 });
    const deleted = await aRecord(ports, family, { plugin: 7, deleted: true });
    const other = await aRecord(ports, family, { plugin: 8 });
    await register(ports, aPlugin({ id: 7 }));
    const info = pluginInfo(aPlugin({ id: 7 }));
    const told = { pluginInfo: info, pluginRevision: expect.any(Number) };
    expect((await ports.records.find(record)).value).toEqual({ ...record, ...told });
    expect((await ports.records.find(deleted)).value).toEqual({ ...deleted, ...told });
    expect((await ports.records.find(other)).value).toEqual(other);
    expect(await historyOf(ports, record)).toHaveLength(1);
  });

  test('new records start with the seed that was registered last', async (ports) => {
    const family = await aFamily(ports);
    const { plugins } = ports;
    await plugins.register(aPlugin(), { config: '{"old":1}', secrets: new Map() }, (stored) => stored);
    const secrets = new Map([['token', 'sealed']]);
    await plugins.register(
      aPlugin(),
      { config: '{"token":"********","b":"\\u0000"}', secrets },
      (stored) => stored,
    );
    const record = await aRecord(ports, family);
    expect(record.config).toBe('{"token":"********","b":"\\u0000"}');
    expect((await ports.records.configuration(record))?.secrets).toEqual(secrets);
    expect((await aRecord(ports, family, { plugin: 8 })).config).toBe('{}');
  });

  test('a seed changes no record that is there already', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.plugins.register(aPlugin(), { config: '{"new":1}', secrets: new Map() }, (stored) => stored);
    expect((await ports.records.find(record)).value?.config).toBe('{}');
  });

  test('registering conceals the configuration of every record that attaches the plugin', async (ports) => {
    const [here, there] = [await aFamily(ports), await aFamily(ports, 'pipeline_transformation_configs')];
    const attached = [
      await configured(ports, await aRecord(ports, here), '{"token":"clear","host":"a"}'),
      await configured(ports, await aRecord(ports, here, { deleted: true }), '{"token":"clear","host":"a"}'),
      await configured(ports, await aRecord(ports, there), '{"token":"clear","host":"a"}'),
    ];
    const other = await configured(ports, await aRecord(ports, here, { plugin: 8 }), '{"token":"clear"}');
    await registerPlugin(
      { plugins: ports.plugins, secretBox: memorySecretBox() },
      aPlugin({ configSchema: [TOKEN] }),
    );
    for (const { version, ...ref } of attached) {
      const stored = await ports.records.configuration(ref);
      expect(stored?.record).toMatchObject({ config: '{"token":"********","host":"a"}', version });
      expect(stored?.secrets).toEqual(new Map([['token', memorySecretBox().seal('"clear"')]]));
    }
    expect((await ports.records.find(other)).value).toEqual(other);
  });

  test('secrets that are sealed already stay as they are', async (ports) => {
    const secrets = new Map([['token', 'sealed long ago']]);
    const record = await aRecord(ports, await aFamily(ports));
    await ports.records.save(aRecordWrite(record, { config: '{"token":"********"}' }, { secrets }));
    await registerPlugin(
      { plugins: ports.plugins, secretBox: memorySecretBox() },
      aPlugin({ configSchema: [TOKEN] }),
    );
    expect((await ports.records.configuration(record))?.secrets).toEqual(secrets);
  });

  test('where concealing fails, nothing is registered', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const before = await standingOf(ports, family);
    const registering = ports.plugins.register(aPlugin(), EMPTY, () => {
      throw new Error('no key to seal with');
    });
    await expect(registering).rejects.toThrow('no key to seal with');
    expect(await ports.plugins.find(7)).toBeNull();
    expect((await ports.records.find(record)).value).toEqual(record);
    expect(await standingOf(ports, family)).toEqual(before);
  });

  test('a removed plugin is gone, and what records hold of it stays', async (ports) => {
    await registerPlugin({ plugins: ports.plugins, secretBox: memorySecretBox() }, WHOLE_PLUGIN);
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    expect(await ports.plugins.remove(WHOLE_PLUGIN.id)).toBe(true);
    expect(await ports.plugins.find(WHOLE_PLUGIN.id)).toBeNull();
    expect(await ports.plugins.list()).toEqual([]);
    expect((await ports.records.find(record)).value).toEqual({
      ...record,
      pluginInfo: null,
      pluginRevision: null,
    });
    expect((await ports.records.configuration(record))?.plugin).toBeNull();
  });

  test('a plugin that is not registered cannot be removed', async (ports) => {
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.plugins.remove(8)).toBe(false);
    expect(await ports.plugins.list()).toHaveLength(1);
  });

  test('records created while a plugin is registered hold its seed or nothing, and no secret in the clear', async (ports) => {
    const family = await aFamily(ports);
    const secretBox = memorySecretBox();
    const plugin = aPlugin({ configSchema: [{ ...TOKEN, default: 'clear' }] });
    const told = pluginInfo(aPlugin({ configSchema: [TOKEN] }));
    const [records] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => aRecord(ports, family))),
      registerPlugin({ plugins: ports.plugins, secretBox }, plugin),
      registerPlugin({ plugins: ports.plugins, secretBox }, plugin),
    ]);
    for (const record of records) {
      const stored = await ports.records.configuration(record);
      expect(stored?.record.pluginInfo).toBe(told);
      expect(['{}', '{"token":"********"}']).toContain(stored?.record.config);
      expect(stored?.secrets.size).toBe(stored?.record.config === '{}' ? 0 : 1);
    }
  });
}

async function register({ plugins }: Ports, plugin: Plugin): Promise<void> {
  await plugins.register(plugin, EMPTY, (stored) => stored);
}

async function configured({ records }: Ports, record: ConfigRecord, config: string): Promise<ConfigRecord> {
  return (await records.save(aRecordWrite(record, { config }))) ?? record;
}
