import { MASK, type ConfigRecord, type RecordRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { registerAndSeal } from '../builders/register-and-seal.ts';
import { memorySecretBox } from '../builders/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { everyPage, LARGE } from './every-page.ts';
import { WHOLE } from './read-state.ts';

/** What a change keeps that leaves the configuration as it is. */
const SAME = { ended: { config: null } };

export function editionStoreContract(test: TestWith<Ports>): void {
  test('a new record has one edition, by its author', async (ports) => {
    const author = anAuthor({ at: secondsLater(5), requestId: 'create' });
    const record = await ports.records.create(
      await aFamily(ports),
      { plugin: 3, enabled: true, order: null, name: 'Näme 🚀', description: null, deleted: false },
      { author, requireRegistered: false },
    );
    const first = { ...author, number: 1, name: 'Näme 🚀', description: null, config: '{}' };
    expect(await ports.editions.page(record, WHOLE)).toEqual({ count: 1, items: [first] });
    expect(await ports.editions.find(record, 1)).toEqual(first);
    expect(await ports.editions.find(record, 2)).toBeNull();
  });

  test('a change that ends the edition keeps it as it was, and its author makes the next one', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'First' });
    const { id: keyId, label } = await ports.keys.add(anApiKey({ label: 'Key' }), anAuthor());
    const by = { actor: { keyId, label }, requestId: 'rename', at: secondsLater(9) };
    const renamed = await saved(ports, record, { name: 'Second' }, { ...SAME, activity: by });
    await saved(ports, renamed, { description: 'Third', config: '{"a":1.50}' }, { ended: { config: '{}' } });
    expect((await ports.editions.page(record, WHOLE)).items).toEqual([
      { ...anAuthor(), number: 3, name: 'Second', description: 'Third', config: '{"a":1.50}' },
      { ...by, number: 2, name: 'Second', description: null, config: '{}' },
      { ...anAuthor(), number: 1, name: 'First', description: null, config: '{}' },
    ]);
  });

  test('any other change makes no edition', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await saved(ports, record, { enabled: true, order: 9, plugin: 8, deleted: false });
    expect((await ports.editions.page(record, WHOLE)).count).toBe(1);
  });

  test('each edition has its own configuration, also after changes that left it as it was', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports));
    const configs = ['{}', '{}', '{"a":1}', '{"a":1}', '{"a":1}', '{"b":2}', '{"b":2}'];
    for (const [i, config] of configs.entries()) {
      if (i === 0) continue;
      const before = configs[i - 1] ?? '';
      const ended = { config: before === config ? null : before };
      record = await saved(ports, record, { name: `Name ${i}`, config }, { ended });
    }
    const { items } = await ports.editions.page(record, WHOLE);
    expect(items.map(({ config }) => config).toReversed()).toEqual(configs);
    for (const [i, config] of configs.entries()) {
      expect(await ports.editions.find(record, i + 1)).toMatchObject({ number: i + 1, config });
    }
  });

  test('the newest edition comes first, page by page, and a page past the end is empty', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports), { name: 'Name 1' });
    for (const i of [2, 3, 4]) record = await saved(ports, record, { name: `Name ${i}` }, SAME);
    const { items } = await ports.editions.page(record, WHOLE);
    expect(items.map(({ number, name }) => [number, name])).toEqual(
      [4, 3, 2, 1].map((number) => [number, `Name ${number}`]),
    );
    expect(await ports.editions.page(record, { limit: 2, offset: 1 })).toEqual({
      count: 4,
      items: items.slice(1, 3),
    });
    expect(await ports.editions.page(record, { limit: 2, offset: 2_147_483_647 })).toEqual({
      count: 4,
      items: [],
    });
  });

  test('a page ends before its texts exceed the size limit of a page', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports));
    const config = JSON.stringify(LARGE.text);
    for (let i = 0; i < LARGE.onPage + 2; i++) {
      record = await saved(
        ports,
        record,
        { config: `{"a":${config}}` },
        { ended: { config: record.config } },
      );
    }
    const pages = await everyPage((page) => ports.editions.page(record, page));
    expect(pages.map(({ length }) => length)).toEqual([LARGE.onPage, 3]);
    const numbers = pages.flat().map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: LARGE.onPage + 3 }, (_, i) => LARGE.onPage + 3 - i));
  });

  test('the editions of a record are read only under its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const record = await aRecord(ports, family);
    await saved(ports, record, { name: 'Other' }, SAME);
    const { id } = record;
    const others: readonly RecordRef[] = [
      { ...elsewhere, id },
      { ...family, family: 'pipeline_transformation_configs', id },
      { ...family, id: id + 1 },
    ];
    for (const other of others) {
      expect(await ports.editions.page(other, WHOLE)).toEqual({ count: 0, items: [] });
      expect(await ports.editions.find(other, 1)).toBeNull();
    }
  });

  test('a deleted record keeps its editions', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'First' });
    const renamed = await saved(ports, record, { name: 'Second' }, SAME);
    await saved(ports, renamed, { deleted: true, enabled: false });
    expect((await ports.editions.page(record, WHOLE)).items.map(({ name }) => name)).toEqual([
      'Second',
      'First',
    ]);
  });

  test('a write that is outdated keeps nothing', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await saved(ports, record, { name: 'Faster' }, SAME);
    expect(await ports.records.save(aRecordWrite(record, { name: 'Late' }, SAME))).toBeNull();
    expect((await ports.editions.page(record, WHOLE)).count).toBe(2);
  });

  test('no edition shows a value that its plugin has declared secret since', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const first = await saved(
      ports,
      record,
      { config: '{"host":"a","token":"geheim"}' },
      { ended: { config: '{}' } },
    );
    const renamed = await saved(ports, first, { name: 'Name' }, SAME);
    await saved(ports, renamed, { config: '{}' }, { ended: { config: first.config } });
    const configs = async () => (await ports.editions.page(record, WHOLE)).items.map(({ config }) => config);
    expect((await configs())[1]).toContain('geheim');
    const plugin = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
    await ports.plugins.register(plugin, { config: '{}', secrets: new Map() }, anAuthor());
    const masked = ['{}', `{"host":"a","token":"${MASK}"}`, `{"host":"a","token":"${MASK}"}`, '{}'];
    expect(await configs()).toEqual(masked);
    await registerAndSeal({ plugins: ports.plugins, secretBox: memorySecretBox() }, plugin);
    expect(await configs()).toEqual(masked);
    expect((await ports.editions.find(record, 2))?.config).toBe(masked[2]);
    await ports.plugins.remove(7, anAuthor());
    expect(await configs()).toEqual(masked);
  });

  const SECRET = { configSchema: [{ key: 'token', type: 'string', secret: true }] } as const;
  const NO_SEED = { config: '{}', secrets: new Map<string, string>() };
  const endings: Readonly<Record<string, (ports: Ports, record: ConfigRecord) => Promise<unknown>>> = {
    'the record was attached to a plugin that declares it secret, and left it': async (ports, record) => {
      await ports.plugins.register(aPlugin({ id: 8, ...SECRET }), NO_SEED, anAuthor());
      await registerAndSeal(
        { plugins: ports.plugins, secretBox: memorySecretBox() },
        aPlugin({ id: 8, ...SECRET }),
      );
      const plugin = await ports.records.configuration(record, 8);
      const joined = await saved(ports, record, {
        plugin: 8,
        pluginRevision: plugin?.pluginRevision ?? null,
      });
      await saved(ports, joined, { plugin: 9, pluginRevision: null });
    },
    'its plugin was registered so and removed before its records were sealed': async (ports) => {
      await ports.plugins.register(aPlugin({ id: 7, ...SECRET }), NO_SEED, anAuthor());
      await ports.plugins.remove(7, anAuthor());
    },
    'its plugin was registered so, and otherwise before its records were sealed': async (ports) => {
      await ports.plugins.register(aPlugin({ id: 7, ...SECRET }), NO_SEED, anAuthor());
      await ports.plugins.register(aPlugin({ id: 7, name: 'Other' }), NO_SEED, anAuthor());
    },
    'its plugin was registered so, and the record left it before it was sealed': async (ports, record) => {
      await ports.plugins.register(aPlugin({ id: 7, ...SECRET }), NO_SEED, anAuthor());
      await saved(ports, record, { plugin: 9 });
    },
  };
  for (const [ending, end] of Object.entries(endings)) {
    test(`neither editions nor the history show a value that was plain and cleared, after ${ending}`, async (ports) => {
      const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
      const set = await saved(
        ports,
        record,
        { config: '{"host":"a","token":"geheim"}' },
        { ended: { config: '{}' }, activity: changedTo('geheim', null) },
      );
      const cleared = await saved(
        ports,
        set,
        { config: '{}' },
        { ended: { config: set.config }, activity: changedTo(null, 'geheim') },
      );
      const seen = async () =>
        JSON.stringify([
          (await ports.editions.page(record, WHOLE)).items,
          (await ports.activity.page(record, WHOLE)).items,
        ]);
      expect((await seen()).match(/geheim/g)).toHaveLength(3);
      await end(ports, cleared);
      expect(await seen()).not.toContain('geheim');
      expect(await seen()).toContain('"host\\":\\"a');
    });
  }
}

function changedTo(after: string | null, before: string | null) {
  return { activity: 'config_updated', changes: [{ field: 'config.token', before, after }] } as const;
}

async function saved(
  { records }: Ports,
  before: ConfigRecord,
  ...[change, extras]: [Parameters<typeof aRecordWrite>[1], Parameters<typeof aRecordWrite>[2]?]
): Promise<ConfigRecord> {
  const stored = await records.save(aRecordWrite(before, change, extras));
  if (stored === null) throw new Error('the record has changed meanwhile');
  return stored;
}
