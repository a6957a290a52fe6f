import { allPlugins } from '../builders/all-plugins.ts';
import { registerAndSeal } from '../builders/register-and-seal.ts';
import {
  conceal,
  pluginInfo,
  setConfiguration,
  type ConfigField,
  type ConfigRecord,
  type Configuration,
  type Plugin,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aKeyHash } from '../builders/an-api-key.ts';
import { anAuthor } from '../builders/an-author.ts';
import { memorySecretBox } from '../builders/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { countersOf, historyOf, LIVE, WHOLE } from './read-state.ts';

const EMPTY = { config: '{}', secrets: new Map<string, string>() };
const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };

const SECRET = aPlugin({ configSchema: [TOKEN] });

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
      expect(await allPlugins(ports.plugins)).toEqual([plugin]);
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
    expect((await allPlugins(ports.plugins)).map(({ id }) => id)).toEqual([3, 20, 100]);
  });

  test('a second registration replaces the plugin as a whole', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    await register(ports, WHOLE_PLUGIN);
    const plain = aPlugin({ id: WHOLE_PLUGIN.id });
    await register(ports, plain);
    expect(await allPlugins(ports.plugins)).toEqual([plain]);
    expect((await ports.records.find(record)).value?.pluginInfo).toBe(pluginInfo(plain));
  });

  test('records that attach a plugin show its registration without being changed', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 7 });
    const deleted = await aRecord(ports, family, { plugin: 7, deleted: true });
    const other = await aRecord(ports, family, { plugin: 8 });
    await register(ports, aPlugin({ id: 7 }));
    const info = pluginInfo(aPlugin({ id: 7 }));
    const shown = { pluginInfo: info, pluginRevision: expect.any(Number) };
    expect((await ports.records.find(record)).value).toEqual({ ...record, ...shown });
    expect((await ports.records.find(deleted)).value).toEqual({ ...deleted, ...shown });
    expect((await ports.records.find(other)).value).toEqual(other);
    expect(await historyOf(ports, record)).toHaveLength(1);
  });

  test('a registration and a removal make all answers that were read before out of date', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const changedFilter = { ...LIVE, deleted: null };
    const freshness = async (): Promise<number> => {
      const question = { keyHash: aKeyHash(1), project: family.projectId, family: family.family };
      const { records, probe } = ports;
      const read = await Promise.all([
        probe.ask({ ...question, recordId: null }),
        probe.ask({ ...question, recordId: record.id }),
        records.find(record),
        records.list(family, LIVE, WHOLE),
        records.listChanged(family, { revision: 1, id: 0 }, changedFilter, WHOLE),
      ]);
      const [asked = 0, ...others] = new Set(read.map((answer) => answer.freshness));
      expect(others).toEqual([]);
      return asked;
    };
    const before = await freshness();
    await register(ports, aPlugin({ id: 7 }));
    const registered = await freshness();
    await ports.plugins.remove(7, anAuthor());
    const removed = await freshness();
    expect(registered).toBeGreaterThan(before);
    expect(removed).toBeGreaterThan(registered);
  });

  test('new records start with the latest registered seed', async (ports) => {
    const family = await aFamily(ports);
    const { plugins } = ports;
    await plugins.register(aPlugin(), { config: '{"old":1}', secrets: new Map() }, anAuthor());
    const secrets = new Map([['token', 'sealed']]);
    await plugins.register(aPlugin(), { config: '{"token":"********","b":"\\u0000"}', secrets }, anAuthor());
    const record = await aRecord(ports, family);
    expect(record.config).toBe('{"token":"********","b":"\\u0000"}');
    expect((await ports.records.configuration(record))?.secrets).toEqual(secrets);
    expect((await aRecord(ports, family, { plugin: 8 })).config).toBe('{}');
  });

  test('a seed changes no existing record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.plugins.register(aPlugin(), { config: '{"new":1}', secrets: new Map() }, anAuthor());
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
    await registerAndSeal(
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

  test('sealed secrets stay as they are', async (ports) => {
    const secrets = new Map([['token', 'sealed long ago']]);
    const record = await aRecord(ports, await aFamily(ports));
    await ports.records.save(aRecordWrite(record, { config: '{"token":"********"}' }, { secrets }));
    await registerAndSeal(
      { plugins: ports.plugins, secretBox: memorySecretBox() },
      aPlugin({ configSchema: [TOKEN] }),
    );
    expect((await ports.records.configuration(record))?.secrets).toEqual(secrets);
  });

  test('a registration without sealing changes no record, and new records follow it at once', async (ports) => {
    const family = await aFamily(ports);
    const record = await configured(ports, await aRecord(ports, family), '{"token":"clear"}');
    const seed = { config: '{"token":"********"}', secrets: new Map([['token', 'sealed']]) };
    expect(await ports.plugins.register(SECRET, seed, anAuthor())).toBe(1);
    expect((await ports.records.find(record)).value?.config).toBe('{"token":"clear"}');
    expect((await ports.records.find(record)).value?.pluginInfo).toBe(pluginInfo(SECRET));
    expect((await aRecord(ports, family)).config).toBe('{"token":"********"}');
  });

  test('the sealing raises the revision of each family in which it seals, and its configurations', async (ports) => {
    const [family, clean] = [await aFamily(ports), await aFamily(ports)];
    const record = await configured(ports, await aRecord(ports, family), '{"token":"clear"}');
    await aRecord(ports, clean);
    await ports.plugins.register(SECRET, EMPTY, anAuthor());
    const before = await Promise.all([countersOf(ports, family), countersOf(ports, clean)]);
    await sealAll(ports, SECRET);
    const after = await Promise.all([countersOf(ports, family), countersOf(ports, clean)]);
    expect(after).toEqual([{ ...before[0], revision: before[0].revision + 1 }, before[1]]);
    expect((await ports.records.find(record)).value?.configRevision).toBe(record.configRevision + 1);
  });

  test('a failed sealing keeps the registration and the sealed records, and continues from there', async (ports) => {
    const family = await aFamily(ports);
    for (let i = 0; i < 3; i++) await configured(ports, await aRecord(ports, family), '{"token":"clear"}');
    await ports.plugins.register(SECRET, EMPTY, anAuthor());
    const failing = ports.plugins.sealNext(SECRET, () => {
      throw new Error('no key to seal with');
    });
    await expect(failing).rejects.toThrow('no key to seal with');
    const looked = await ports.plugins.sealNext(SECRET, concealed);
    expect(await ports.plugins.find(7)).toEqual(SECRET);
    const left = 3 - (looked?.records ?? 0);
    expect(await ports.plugins.register(SECRET, EMPTY, anAuthor())).toBe(left);
    expect(await sealAll(ports, SECRET)).toBe(left);
    expect(await ports.plugins.register(SECRET, EMPTY, anAuthor())).toBe(0);
  });

  test('sealing begins anew for another schema, and for the same schema after a removal', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.plugins.register(SECRET, EMPTY, anAuthor());
    await sealAll(ports, SECRET);
    const other = aPlugin({ configSchema: [TOKEN, { key: 'pin', type: 'number', secret: true }] });
    expect(await ports.plugins.register(other, EMPTY, anAuthor())).toBe(1);
    await sealAll(ports, other);
    await ports.plugins.remove(7, anAuthor());
    await configured(ports, record, '{"token":"clear"}');
    expect(await ports.plugins.register(other, EMPTY, anAuthor())).toBe(1);
    expect(await sealAll(ports, other)).toBe(1);
  });

  test('sealing for a schema that is no longer registered is reported', async (ports) => {
    await aRecord(ports, await aFamily(ports));
    await ports.plugins.register(SECRET, EMPTY, anAuthor());
    await ports.plugins.register(aPlugin({ name: 'Another' }), EMPTY, anAuthor());
    const busy = { name: 'DomainError', code: 'busy', message: expect.stringContaining('registered again') };
    await expect(ports.plugins.sealNext(SECRET, concealed)).rejects.toMatchObject(busy);
    await ports.plugins.remove(7, anAuthor());
    await expect(ports.plugins.sealNext(SECRET, concealed)).rejects.toMatchObject(busy);
  });

  test('two concurrent registrations of one plugin seal every record while others write', async (ports) => {
    const family = await aFamily(ports);
    const plugin = aPlugin({ configSchema: [TOKEN, { key: 'n', type: 'number' }] });
    const records = [];
    for (let i = 0; i < 7; i++)
      records.push(await configured(ports, await aRecord(ports, family), `{"token":"clear","n":${i}}`));
    const dependencies = { plugins: ports.plugins, records: ports.records, secretBox: memorySecretBox() };
    const author = anAuthor();
    await Promise.all([
      registerAndSeal(dependencies, plugin),
      registerAndSeal(dependencies, plugin),
      ...records.map((record, n) =>
        setConfiguration(dependencies, {
          record,
          precondition: null,
          newConfig: { token: '********', n: -n },
          author,
        }),
      ),
    ]);
    for (const record of records) {
      const stored = await ports.records.configuration(record);
      expect(stored?.record.config).not.toContain('clear');
      expect([...(stored?.secrets.keys() ?? [])]).toEqual(['token']);
    }
  });

  test('a removed plugin is gone, and the records keep their configurations', async (ports) => {
    await registerAndSeal({ plugins: ports.plugins, secretBox: memorySecretBox() }, WHOLE_PLUGIN);
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    expect(await ports.plugins.remove(WHOLE_PLUGIN.id, anAuthor())).toBe(true);
    expect(await ports.plugins.find(WHOLE_PLUGIN.id)).toBeNull();
    expect(await allPlugins(ports.plugins)).toEqual([]);
    expect((await ports.records.find(record)).value).toEqual({
      ...record,
      pluginInfo: null,
      pluginRevision: null,
    });
    expect((await ports.records.configuration(record))?.plugin).toBeNull();
  });

  test('a plugin that is not registered cannot be removed', async (ports) => {
    await register(ports, aPlugin({ id: 7 }));
    expect(await ports.plugins.remove(8, anAuthor())).toBe(false);
    expect(await allPlugins(ports.plugins)).toHaveLength(1);
  });

  test('the removal of a plugin that is not registered changes nothing', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 8 });
    await register(ports, aPlugin({ id: 7 }));
    const read = () => Promise.all([countersOf(ports, family), ports.records.find(record)]);
    const before = await read();
    expect(await ports.plugins.remove(8, anAuthor())).toBe(false);
    expect(await read()).toEqual(before);
  });

  test('records created during a registration hold the seed or nothing, and no secret in the clear', async (ports) => {
    const family = await aFamily(ports);
    const secretBox = memorySecretBox();
    const plugin = aPlugin({ configSchema: [{ ...TOKEN, default: 'clear' }] });
    const shown = pluginInfo(aPlugin({ configSchema: [TOKEN] }));
    const [records] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => aRecord(ports, family))),
      registerAndSeal({ plugins: ports.plugins, secretBox }, plugin),
      registerAndSeal({ plugins: ports.plugins, secretBox }, plugin),
    ]);
    for (const record of records) {
      const stored = await ports.records.configuration(record);
      expect(stored?.record.pluginInfo).toBe(shown);
      expect(['{}', '{"token":"********"}']).toContain(stored?.record.config);
      expect(stored?.secrets.size).toBe(stored?.record.config === '{}' ? 0 : 1);
    }
  });
}

async function register({ plugins }: Ports, plugin: Plugin): Promise<void> {
  await plugins.register(plugin, EMPTY, anAuthor());
}

async function configured({ records }: Ports, record: ConfigRecord, config: string): Promise<ConfigRecord> {
  return (await records.save(aRecordWrite(record, { config }))) ?? record;
}

function concealed(configuration: Configuration): Configuration {
  return conceal(configuration, [TOKEN], memorySecretBox());
}

/** Returns the number of sealed records. */
async function sealAll({ plugins }: Ports, plugin: Plugin): Promise<number> {
  let sealed = 0;
  for (;;) {
    const portion = await plugins.sealNext(plugin, concealed);
    if (portion === null) return sealed;
    sealed += portion.sealed;
  }
}
