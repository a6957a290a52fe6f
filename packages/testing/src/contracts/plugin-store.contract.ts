import { allPlugins, aPlugin } from '../builders/a-plugin.ts';
import {
  cacheVersionOf,
  MASK,
  NOT_REGISTERED,
  pluginInfo,
  setConfiguration,
  type ConfigField,
  type ConfigRecord,
  type NewPlugin,
  type Plugin,
  type Values,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { aKeyHash } from '../builders/an-api-key.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { countersOf, historyOf, LIVE, liveRecords, WHOLE } from './read-state.ts';

const TOKEN: ConfigField = { key: 'token', type: 'string', secret: true };

const SECRET = aPlugin({ configSchema: [TOKEN] });

const WHOLE_PLUGIN: Plugin = {
  id: 2_147_483_647,
  slug: 'whole-plugin',
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
    test(`plugin ${plugin.id} is read back unchanged`, async (ports) => {
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

  test('a second registration replaces the whole plugin', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    await register(ports, WHOLE_PLUGIN);
    const plain = aPlugin({ id: WHOLE_PLUGIN.id });
    await register(ports, { ...plain, slug: null });
    expect(await allPlugins(ports.plugins)).toEqual([plain]);
    expect((await ports.records.find(record)).value?.pluginInfo).toBe(pluginInfo(plain));
  });

  test('records that attach a plugin show its registration, and are not changed by it', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 7 });
    const deleted = await aRecord(ports, family, { plugin: 7, deleted: true });
    const other = await aRecord(ports, family, { plugin: 8 });
    await register(ports, aPlugin({ id: 7 }));
    const info = pluginInfo(aPlugin({ id: 7 }));
    const shown = { pluginInfo: info, registryVersion: expect.any(Number) };
    expect((await ports.records.find(record)).value).toEqual({ ...record, ...shown });
    expect((await ports.records.find(deleted)).value).toEqual({ ...deleted, ...shown });
    expect((await ports.records.find(other)).value).toEqual(other);
    expect(await historyOf(ports, record)).toHaveLength(1);
  });

  test('a registration or a removal makes all earlier reads out of date', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const changedFilter = { ...LIVE, deleted: null };
    const cacheVersion = async (): Promise<number> => {
      const query = { keyHash: aKeyHash(1), project: family.projectId, family: family.family };
      const { records, probe } = ports;
      const read = await Promise.all([
        probe.read({ ...query, recordId: null }),
        probe.read({ ...query, recordId: record.id }),
        records.find(record),
        records.list(family, LIVE, WHOLE),
        records.listChanged(family, { registryVersion: 0, familyVersion: 1, id: 0 }, changedFilter, WHOLE),
      ]);
      const [version = 0, ...others] = new Set(read.map(cacheVersionOf));
      expect(others).toEqual([]);
      return version;
    };
    const before = await cacheVersion();
    await register(ports, aPlugin({ id: 7 }));
    const registered = await cacheVersion();
    await ports.plugins.remove(7, anAuthor());
    const removed = await cacheVersion();
    expect(registered).toBeGreaterThan(before);
    expect(removed).toBeGreaterThan(registered);
  });

  test('records show what is set over the defaults of the latest registration', async (ports) => {
    const family = await aFamily(ports);
    const untouched = await aRecord(ports, family);
    const shown = async (record: ConfigRecord) => {
      const found = (await ports.records.find(record)).value;
      const listed = (await liveRecords(ports, family)).find(({ id }) => id === record.id);
      const current = (await ports.configurationValues.of(record))?.record;
      expect([listed, current]).toEqual([found, found]);
      return found?.config;
    };
    await register(ports, aPlugin({ configSchema: [{ key: 'old', type: 'number', default: 1 }] }));
    const created = await aRecord(ports, family);
    expect([created.config, await shown(created), await shown(untouched)]).toEqual(
      Array.from({ length: 3 }, () => '{"old":1}'),
    );
    const before = (await ports.records.find(created)).value ?? created;
    const set = await ports.records.save(aRecordWrite(before, {}, { values: '{"a":1}' }));
    expect([set?.config, await shown(created)]).toEqual(['{"a":1,"old":1}', '{"a":1,"old":1}']);
    const configSchema = [TOKEN, { key: 'b', type: 'string', default: '\u0007' }] as const;
    await ports.plugins.register(aPlugin({ configSchema }), new Map([['token', 'hunter2']]), anAuthor());
    expect([await shown(created), await shown(untouched), (await aRecord(ports, family)).config]).toEqual([
      `{"a":1,"token":"${MASK}","b":"\\u0007"}`,
      `{"token":"${MASK}","b":"\\u0007"}`,
      `{"token":"${MASK}","b":"\\u0007"}`,
    ]);
    const { items } = await ports.revisions.page(created, WHOLE);
    expect(items[0]?.config).toBe('{"a":1}');
    expect(await ports.configurationValues.of(untouched)).toMatchObject({
      values: '{}',
      defaults: new Map([
        ['token', 'hunter2'],
        ['b', '\u0007'],
      ]),
    });
    await register(ports, aPlugin());
    expect([await shown(created), await shown(untouched)]).toEqual(['{"a":1}', '{}']);
  });

  test('registering the same plugin again changes nothing, and writes no audit entry', async (ports) => {
    const secrets = new Map([['token', 'hunter2']]);
    const { plugins } = ports;
    const entries = async () => (await ports.audit.page(WHOLE)).count;
    const versionOf = async () => (await plugins.registration(7)).registryVersion;
    await plugins.register(SECRET, secrets, anAuthor());
    const before = [await versionOf(), await entries()];
    await plugins.register(SECRET, new Map(secrets), anAuthor());
    expect([await versionOf(), await entries()]).toEqual(before);
    const others: readonly (readonly [Plugin, Values])[] = [
      [SECRET, new Map([['token', 'hunter3']])],
      [SECRET, new Map()],
      [aPlugin({ ...SECRET, name: 'Other' }), new Map()],
    ];
    for (const [plugin, defaults] of others) {
      const version = await versionOf();
      await plugins.register(plugin, defaults, anAuthor());
      expect(await versionOf()).toBeGreaterThan(version ?? 0);
    }
  });

  test('a plugin keeps its secret names after any later registration', async (ports) => {
    const { plugins } = ports;
    expect(await plugins.registration(7)).toEqual(NOT_REGISTERED);
    await register(ports, SECRET);
    await register(ports, aPlugin({ configSchema: [{ key: 'pin', type: 'number', secret: true }] }));
    await register(ports, aPlugin());
    const registryVersion = expect.any(Number);
    const secretNames = new Set(['token', 'pin']);
    expect(await plugins.registration(7)).toEqual({
      plugin: aPlugin(),
      registryVersion,
      version: '0',
      schemaVersion: 1,
      secretNames,
      defaults: new Map(),
    });
    await plugins.remove(7, anAuthor());
    expect(await plugins.registration(7)).toEqual({
      plugin: null,
      registryVersion,
      version: null,
      schemaVersion: 1,
      secretNames,
      defaults: new Map(),
    });
    const many = Array.from({ length: 999 }, (_, i) => ({ ...TOKEN, key: `field ${i}` }));
    await expect(register(ports, aPlugin({ configSchema: many }))).rejects.toMatchObject({
      code: 'invalid_input',
      attr: 'config_schema',
    });
    expect(await plugins.find(7)).toBeNull();
  });

  test('two concurrent registrations of a plugin take effect as one, even while its records change', async (ports) => {
    const family = await aFamily(ports);
    const records = [];
    for (let i = 0; i < 7; i++) {
      records.push(await configured(ports, await aRecord(ports, family), `{"token":"hunter","n":${i}}`));
    }
    const plugin = aPlugin({ configSchema: [TOKEN, { key: 'n', type: 'number' }] });
    await Promise.all([
      register(ports, plugin),
      register(ports, plugin),
      ...records.map((record, n) => {
        const newConfig = { token: MASK, n: -n };
        return setConfiguration(ports, { record, precondition: null, newConfig, author: anAuthor() });
      }),
    ]);
    for (const record of records) {
      const { config = '' } = (await ports.records.find(record)).value ?? {};
      expect(JSON.parse(config)).toEqual({ n: expect.any(Number), token: '********' });
    }
  });

  test('a removed plugin is gone, and its records show what was set', async (ports) => {
    await ports.plugins.register(WHOLE_PLUGIN, new Map([['token', 'hunter2']]), anAuthor());
    const record = await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    expect(await ports.plugins.remove(WHOLE_PLUGIN.id, anAuthor())).toBe(true);
    expect(await ports.plugins.find(WHOLE_PLUGIN.id)).toBeNull();
    expect(await allPlugins(ports.plugins)).toEqual([]);
    const { value } = await ports.records.find(record);
    expect(value).toEqual({
      ...record,
      config: '{}',
      pluginInfo: null,
      registryVersion: (record.registryVersion ?? 0) + 1,
    });
    expect((await ports.plugins.registrationOf(record)).plugin).toBeNull();
    expect(await ports.plugins.remove(WHOLE_PLUGIN.id, anAuthor())).toBe(false);
    await register(ports, WHOLE_PLUGIN);
    expect(await ports.plugins.find(WHOLE_PLUGIN.id)).toEqual(WHOLE_PLUGIN);
  });

  test('a slug names one plugin until it is removed', async (ports) => {
    const { plugins } = ports;
    const bySlug = async () => (await plugins.find('slug:geoip'))?.id;
    await register(ports, { ...aPlugin({ id: 7 }), slug: 'geoip' });
    expect(await plugins.find('slug:geoip')).toEqual(aPlugin({ slug: 'geoip' }));
    expect(await plugins.idsOf(['geoip', 'other'])).toEqual(new Map([['geoip', 7]]));
    await register(ports, aPlugin({ name: 'Renamed' }));
    expect(await plugins.find(7)).toEqual(aPlugin({ slug: 'geoip', name: 'Renamed' }));
    const taken = register(ports, { ...aPlugin({ id: 8 }), slug: 'geoip' });
    await expect(taken).rejects.toMatchObject({ code: 'already_exists', attr: 'slug' });
    expect(await plugins.find(8)).toBeNull();
    await register(ports, { ...aPlugin(), slug: null });
    expect([await bySlug(), await plugins.find(7)]).toEqual([undefined, aPlugin()]);
    await register(ports, { ...aPlugin({ id: 8 }), slug: 'geoip' });
    expect(await bySlug()).toBe(8);
    expect(await plugins.remove('slug:geoip', anAuthor())).toBe(true);
    expect(await plugins.remove('slug:geoip', anAuthor())).toBe(false);
    expect([await bySlug(), await plugins.find(8)]).toEqual([undefined, null]);
  });

  test('a new slug gets an id above all that are or were registered or attached', async (ports) => {
    const family = await aFamily(ports);
    const put = (slug: string) =>
      ports.plugins.register({ id: `slug:${slug}`, name: slug }, new Map(), anAuthor());
    expect(await put('a')).toMatchObject({ id: 1, slug: 'a' });
    await ports.plugins.remove(1, anAuthor());
    expect((await put('a')).id).toBe(2);
    expect((await put('a')).id).toBe(2);
    const record = await aRecord(ports, family, { plugin: 10 });
    expect((await put('b')).id).toBe(11);
    const elsewhere = await ports.records.save(aRecordWrite(record, { plugin: 20, formerPlugins: [10] }));
    if (elsewhere === null) throw new Error('The record was not saved.');
    await ports.records.save(aRecordWrite(elsewhere, { plugin: 2, formerPlugins: [10, 20] }));
    expect((await put('c')).id).toBe(21);
  });

  test('beside the highest possible id, a new slug gets any that is not used', async (ports) => {
    await aRecord(ports, await aFamily(ports), { plugin: WHOLE_PLUGIN.id });
    const ids = new Set<number>();
    for (const slug of ['a', 'b', 'c'])
      ids.add((await ports.plugins.register({ id: `slug:${slug}`, name: slug }, new Map(), anAuthor())).id);
    expect([ids.size, ids.has(WHOLE_PLUGIN.id)]).toEqual([3, false]);
  });

  test('concurrent registrations of new slugs are of one plugin each', async (ports) => {
    const slugs = ['a', 'b', 'a', 'c', 'b', 'a'];
    const registered = await Promise.all(
      slugs.map((slug, n) =>
        ports.plugins.register({ id: `slug:${slug}`, name: `${slug} ${n}` }, new Map(), anAuthor()),
      ),
    );
    const all = await allPlugins(ports.plugins);
    expect(all.map(({ id }) => id)).toEqual([1, 2, 3]);
    for (const [n, { id, slug }] of registered.entries()) {
      expect(slug).toBe(slugs[n]);
      expect(all.find((plugin) => plugin.slug === slug)?.id).toBe(id);
    }
  });

  test('a slug that is registered and given to another id at once is of one of them', async (ports) => {
    for (let round = 0; round < 10; round++) {
      const slug = `slug-${round}`;
      const id = 100 * (round + 1);
      const [given, put] = await Promise.allSettled([
        ports.plugins.register({ id, slug, name: 'Given' }, new Map(), anAuthor()),
        ports.plugins.register({ id: `slug:${slug}`, name: 'Put' }, new Map(), anAuthor()),
      ]);
      const found = await ports.plugins.find(`slug:${slug}`);
      expect(put).toMatchObject({ status: 'fulfilled', value: { id: found?.id } });
      if (given.status === 'fulfilled') expect(found?.id).toBe(id);
      else
        expect([given.reason, await ports.plugins.find(id)]).toMatchObject([
          { code: 'already_exists' },
          null,
        ]);
    }
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
}

async function register({ plugins }: Ports, plugin: NewPlugin): Promise<void> {
  await plugins.register(plugin, new Map(), anAuthor());
}

async function configured({ records }: Ports, record: ConfigRecord, config: string): Promise<ConfigRecord> {
  return (await records.save(aRecordWrite(record, { config }))) ?? record;
}
