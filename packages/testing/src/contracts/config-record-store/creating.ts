import { INTEGER_MAX, MASK } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord, aRecordDraft, mustStore } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { anApiKey, revokedAuthor } from '../../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../../builders/an-author.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { createOnce, keptCreation } from '../once.ts';
import { countersOf, historyOf, idsOf, liveRecords } from '../read-state.ts';

const HOST = { key: 'host', type: 'string', default: 'default' } as const;
const CONFIGURED = {
  values: '{"a":1,"token":"hunter2"}',
  changes: [
    { field: 'config.a', before: null, after: 1 },
    { field: 'config.token', before: null, after: MASK },
  ],
  more: 3,
};
const REVOKED = { code: 'authentication_failed' };

export function creatingContract(test: TestWith<Ports>): void {
  test('a new record has the given values, and defaults otherwise', async ({ records, ...ports }) => {
    const family = await aFamily(ports);
    const draft = aRecordDraft({
      plugin: INTEGER_MAX,
      enabled: true,
      order: 0,
      name: 'Größe 🚀',
      description: '',
    });
    const author = anAuthor({ at: secondsLater(1.234) });
    const record = await mustStore(records.create(family, draft, { author, requireRegistered: false }));
    expect(record).toEqual({
      ...family,
      ...draft,
      id: record.id,
      config: '{}',
      formerPlugins: [],
      error: null,
      pluginInfo: null,
      deliveryRate: null,
      createdAt: author.at,
      updatedAt: author.at,
      version: record.version,
      configVersion: 1,
      registryVersion: null,
      schemaVersion: 1,
      pinnedVersion: null,
    });
    expect((await records.find(record)).value).toEqual(record);
  });

  test('an author whose key is revoked creates nothing, with or without an idempotency key', async (ports) => {
    const family = await aFamily(ports);
    const options = { author: await revokedAuthor(ports), requireRegistered: false };
    const key = { name: 'once', digest: 'body' };
    await expect(ports.records.create(family, aRecordDraft(), options)).rejects.toMatchObject(REVOKED);
    await expect(createOnce(ports.records, family, aRecordDraft(), options, key)).rejects.toMatchObject(
      REVOKED,
    );
    expect(await liveRecords(ports, family)).toEqual([]);
  });

  test('an author whose key is revoked does not get a stored response', async (ports) => {
    const family = await aFamily(ports);
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const options = { author: anAuthor({ actor: { keyId, label } }), requireRegistered: false };
    const key = { name: 'once', digest: 'body' };
    const create = () => mustStore(createOnce(ports.records, family, aRecordDraft(), options, key));
    expect((await create()).isFirst).toBe(true);
    await ports.keys.revoke(keyId, null, anAuthor({ at: secondsLater(1) }));
    await expect(create()).rejects.toMatchObject(REVOKED);
  });

  test('a new record has the given configuration, and its activity entry has the changes', async (ports) => {
    const family = await aFamily(ports);
    const configSchema = [{ key: 'token', type: 'string', secret: true }, HOST] as const;
    await ports.plugins.register(aPlugin({ id: 7, configSchema }), new Map(), anAuthor());
    const { registryVersion: decidedBy } = await ports.plugins.registration(7);
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const author = anAuthor({ actor: { keyId, label } });
    const options = { author, requireRegistered: true, decidedBy, configuration: CONFIGURED };
    const plain = await aRecord(ports, family);
    const record = await mustStore(ports.records.create(family, aRecordDraft(), options));
    const key = { name: 'once', digest: 'body' };
    const once = await mustStore(createOnce(ports.records, family, aRecordDraft(), options, key));
    expect(record).toMatchObject({ order: 2, configVersion: 1, version: 1 });
    for (const created of [record, once.value]) {
      expect(JSON.parse(created.config)).toEqual({ token: MASK, a: 1, host: 'default' });
      expect((await ports.records.find(created)).value).toEqual(created);
      expect(await ports.configurationValues.of(created)).toMatchObject({ values: CONFIGURED.values });
      const [entry] = await historyOf(ports, created);
      expect(entry?.changes.slice(-2)).toEqual([
        { field: 'config.a', before: null, after: 1 },
        { field: 'config.token', before: null, after: MASK },
      ]);
      expect(entry).toMatchObject({ activity: 'created', more: 3 });
      expect((await ports.revisions.find(created, 1))?.config).toBe(`{"a":1,"token":"${MASK}"}`);
    }
    expect(await keptCreation(ports.records, family, aRecordDraft(), key)).toEqual({
      ...once,
      isFirst: false,
    });
    expect(await keptCreation(ports.records, family, aRecordDraft(), { ...key, name: 'other' })).toBeNull();
    expect((await ports.records.find(plain)).value).toEqual(plain);
  });

  test('a record is only created if its plugin is registered as when it was decided on', async (ports) => {
    const family = await aFamily(ports);
    const author = anAuthor();
    const create = (decidedBy?: number | null) =>
      ports.records.create(family, aRecordDraft(), {
        author,
        requireRegistered: false,
        ...(decidedBy !== undefined && { decidedBy }),
      });
    expect(await create(null)).toMatchObject({ order: 1 });
    await ports.plugins.register(aPlugin({ id: 7 }), new Map(), author);
    const { registryVersion } = await ports.plugins.registration(7);
    expect(await create(null)).toBeNull();
    expect(await create(registryVersion)).toMatchObject({ order: 2 });
    await ports.plugins.remove(7, author);
    const key = { name: 'once', digest: 'body' };
    const options = { author, requireRegistered: false, decidedBy: registryVersion };
    const { listVersion } = await countersOf(ports, family);
    const outdated = [
      create(registryVersion),
      createOnce(ports.records, family, aRecordDraft(), options, key),
    ];
    expect(await Promise.all([...outdated, create()])).toMatchObject([null, null, { order: 3 }]);
    expect((await countersOf(ports, family)).listVersion).toBe(listVersion + 1);
    expect(await keptCreation(ports.records, family, aRecordDraft(), key)).toBeNull();
  });

  test('records with and without a configuration are created concurrently', async (ports) => {
    const family = await aFamily(ports);
    const large = { values: `{"a":"${'x'.repeat(100_000)}"}`, changes: [] };
    const configurations = Array.from({ length: 12 }, (_, i) => [null, CONFIGURED, large][i % 3] ?? null);
    const created = await Promise.all(
      configurations.map((configuration) => {
        const options = { author: anAuthor(), requireRegistered: false, configuration };
        return mustStore(ports.records.create(family, aRecordDraft(), options));
      }),
    );
    expect(created.map(({ config }) => config)).toEqual(
      configurations.map((configuration) => configuration?.values ?? '{}'),
    );
    expect(await liveRecords(ports, family)).toEqual(created.toSorted((a, b) => a.order - b.order));
  });

  test('a record without an order is placed after the last live one, and the first gets 1', async (ports) => {
    const family = await aFamily(ports);
    expect((await aRecord(ports, family)).order).toBe(1);
    expect((await aRecord(ports, family)).order).toBe(2);
    await aRecord(ports, family, { order: 10 });
    await aRecord(ports, family, { order: 5 });
    expect((await aRecord(ports, family)).order).toBe(11);
  });

  test('a deleted record takes up no position', async (ports) => {
    const family = await aFamily(ports);
    const first = await aRecord(ports, family);
    await aRecord(ports, family, { order: 50, deleted: true });
    expect((await aRecord(ports, family)).order).toBe(first.order + 1);
    await ports.records.save(aRecordWrite(first, { deleted: true }));
    const second = (await liveRecords(ports, family))[0];
    await ports.records.save(aRecordWrite(second ?? first, { deleted: true }));
    expect((await aRecord(ports, family)).order).toBe(1);
  });

  test('each family of each project assigns its own positions', async (ports) => {
    const family = await aFamily(ports);
    const sister = { ...family, family: 'pipeline_transformation_configs' } as const;
    const elsewhere = await aFamily(ports);
    await aRecord(ports, family, { order: 30 });
    expect((await aRecord(ports, sister)).order).toBe(1);
    expect((await aRecord(ports, elsewhere)).order).toBe(1);
  });

  test('a record without an order is rejected if the last position is taken', async (ports) => {
    const family = await aFamily(ports);
    const last = await aRecord(ports, family, { order: INTEGER_MAX });
    const creating = aRecord(ports, family);
    await expect(creating).rejects.toMatchObject({ name: 'DomainError', code: 'max_value', attr: 'order' });
    expect(await liveRecords(ports, family)).toEqual([last]);
    expect((await aRecord(ports, family, { order: 4 })).order).toBe(4);
  });

  test('if registration is required, an unregistered plugin is rejected without any change', async (ports) => {
    const family = await aFamily(ports);
    const options = { author: anAuthor(), requireRegistered: true };
    const creating = ports.records.create(family, aRecordDraft({ plugin: 7 }), options);
    await expect(creating).rejects.toMatchObject({
      name: 'DomainError',
      code: 'does_not_exist',
      attr: 'plugin',
    });
    expect(await liveRecords(ports, family)).toEqual([]);
    await ports.plugins.register(aPlugin({ id: 7 }), new Map(), anAuthor());
    expect(await ports.records.create(family, aRecordDraft({ plugin: 7 }), options)).toMatchObject({
      plugin: 7,
    });
  });

  test('records created concurrently get consecutive positions', async (ports) => {
    const family = await aFamily(ports);
    const created = await Promise.all(Array.from({ length: 20 }, () => aRecord(ports, family)));
    const positions = created.map(({ order }) => order).toSorted((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(new Set(idsOf(created)).size).toBe(20);
    expect(await liveRecords(ports, family)).toEqual(created.toSorted((a, b) => a.order - b.order));
  });
}
