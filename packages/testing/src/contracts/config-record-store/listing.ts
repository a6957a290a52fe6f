import { anAuthor } from '../../builders/an-author.ts';
import { recordBytes, type FamilyRef, type RecordFilter } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { everyPage, LARGE, OVERSIZED } from '../every-page.ts';
import { idsOf, LIVE, liveRecords, WHOLE } from '../read-state.ts';

const SEARCHES: readonly { readonly search: string; readonly finds: readonly string[] }[] = [
  { search: 'alpha', finds: ['Alpha', 'in the description'] },
  { search: 'ALPHA', finds: ['Alpha', 'in the description'] },
  { search: '%', finds: ['100%'] },
  { search: '_', finds: ['snake_case'] },
  { search: '\\', finds: ['back\\slash'] },
  { search: "'", finds: ["it's"] },
  { search: '.*', finds: [] },
  { search: 'ÉTÉ', finds: ['été 🌞'] },
  { search: '🌞', finds: ['été 🌞'] },
  { search: 'ha i', finds: [] },
  { search: 'null', finds: [] },
];

export function listingContract(test: TestWith<Ports>): void {
  test('records are listed by position, then by id', async (ports) => {
    const family = await aFamily(ports);
    const [a, b, c, d] = [
      await aRecord(ports, family, { order: 2 }),
      await aRecord(ports, family, { order: 1 }),
      await aRecord(ports, family, { order: 2 }),
      await aRecord(ports, family, { order: 0 }),
    ];
    expect(await liveRecords(ports, family)).toEqual([d, b, a, c]);
  });

  test('records in a list equal those read individually, and show the registrations of their plugins', async (ports) => {
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family, { name: 'Größe 🚀' });
    await ports.plugins.register(aPlugin(), new Map(), anAuthor());
    const { value: found, familyVersion } = await ports.records.find({ ...family, id });
    const page = await ports.records.list(family, LIVE, WHOLE);
    expect(page.value.items).toEqual([found]);
    expect(page.familyVersion).toBe(familyVersion);
  });

  test('a page starts at its offset, and has as many records as its limit', async (ports) => {
    const family = await aFamily(ports);
    for (let i = 0; i < 5; i++) await aRecord(ports, family);
    const all = await liveRecords(ports, family);
    const page = async (limit: number, offset: number) =>
      (await ports.records.list(family, LIVE, { limit, offset })).value;
    expect(await page(2, 0)).toMatchObject({ count: 5, items: all.slice(0, 2) });
    expect(await page(2, 3)).toMatchObject({ count: 5, items: all.slice(3) });
    expect(await page(1000, 4)).toMatchObject({ count: 5, items: all.slice(4) });
  });

  test('a page ends before its configurations exceed the size limit of a page', async (ports) => {
    const family = await aFamily(ports);
    const configs = [...Array.from({ length: LARGE.onPage + 2 }, () => LARGE.text), OVERSIZED, '{}'];
    for (const config of configs) {
      await ports.records.save(aRecordWrite(await aRecord(ports, family), { config }));
    }
    const pages = await everyPage(async (page) => (await ports.records.list(family, LIVE, page)).value);
    expect(pages.map(({ length }) => length)).toEqual([LARGE.onPage, 2, 1, 1]);
    expect(pages.flat().map(({ config }) => config)).toEqual(configs);
  });

  test('registrations of plugins count towards the size of a page', async (ports) => {
    const family = await aFamily(ports);
    const plugin = aPlugin({ description: LARGE.text });
    await ports.plugins.register(plugin, new Map(), anAuthor());
    for (let i = 0; i < LARGE.onPage + 1; i++) await aRecord(ports, family, { plugin: plugin.id });
    const pages = await everyPage(async (page) => (await ports.records.list(family, LIVE, page)).value);
    expect(pages.map(({ length }) => length)).toEqual([LARGE.onPage, 1]);
  });

  test('a chunk has as many of the named records as fit, starting with the first', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aRecord(ports, await aFamily(ports));
    const [a, b, c] = [
      await aRecord(ports, family, { order: 3, name: 'x'.repeat(100) }),
      await aRecord(ports, family, { order: 2, description: 'x'.repeat(100) }),
      await aRecord(ports, family, { order: 1, deleted: true }),
    ];
    const chunk = (ids: readonly number[], bytes: number) => ports.records.chunk(family, ids, bytes);
    const all = [a.id, elsewhere.id, c.id, b.id, a.id];
    expect(await chunk(all, 10_000)).toEqual([a, null, c, b, a]);
    // A stored configuration is a little larger than its text.
    const ofTwo = recordBytes(a) + recordBytes(c) + 100;
    expect(await chunk(all, ofTwo)).toEqual([a, null, c]);
    expect(await chunk(all, 1)).toEqual([a]);
    expect(await chunk([4711, b.id], 1)).toEqual([null]);
    expect(await chunk([], 10_000)).toEqual([]);
  });

  test('families and projects are isolated from each other', async (ports) => {
    const family = await aFamily(ports);
    const sister = { ...family, family: 'pipeline_transformation_configs' } as const;
    const elsewhere = await aFamily(ports);
    const [here, beside, there] = [
      await aRecord(ports, family),
      await aRecord(ports, sister),
      await aRecord(ports, elsewhere),
    ];
    expect(await liveRecords(ports, family)).toEqual([here]);
    expect(await liveRecords(ports, sister)).toEqual([beside]);
    expect(await liveRecords(ports, elsewhere)).toEqual([there]);
  });

  test('a list has either deleted records or live ones', async (ports) => {
    const family = await aFamily(ports);
    const live = await aRecord(ports, family);
    const deleted = await aRecord(ports, family, { deleted: true });
    expect(await listed(ports, family, { deleted: false })).toEqual([live.id]);
    expect(await listed(ports, family, { deleted: true })).toEqual([deleted.id]);
  });

  test('a list can be filtered by enabled, plugin and search, and by all of them together', async (ports) => {
    const family = await aFamily(ports);
    const [a, b, c, d] = [
      await aRecord(ports, family, { plugin: 1, enabled: true, name: 'needle' }),
      await aRecord(ports, family, { plugin: 1, enabled: false, name: 'needle' }),
      await aRecord(ports, family, { plugin: 2, enabled: true, description: 'a Needle too' }),
      await aRecord(ports, family, { plugin: 1, enabled: true, name: 'hay' }),
    ];
    expect(await listed(ports, family, { enabled: true })).toEqual(idsOf([a, c, d]));
    expect(await listed(ports, family, { enabled: false })).toEqual([b.id]);
    expect(await listed(ports, family, { plugin: 1 })).toEqual(idsOf([a, b, d]));
    expect(await listed(ports, family, { plugin: 3 })).toEqual([]);
    expect(await listed(ports, family, { plugin: 'slug:geoip' })).toEqual([]);
    await ports.plugins.register({ id: 1, slug: 'geoip', name: 'GeoIP' }, new Map(), anAuthor());
    expect(await listed(ports, family, { plugin: 'slug:geoip' })).toEqual(idsOf([a, b, d]));
    expect(await listed(ports, family, { search: 'needle' })).toEqual(idsOf([a, b, c]));
    expect(await listed(ports, family, { enabled: true, plugin: 1, search: 'needle' })).toEqual([a.id]);
    const page = await ports.records.list(family, { ...LIVE, enabled: true }, { limit: 1, offset: 1 });
    expect(page.value).toMatchObject({ count: 3, items: [c] });
  });

  for (const { search, finds } of SEARCHES) {
    test(`a search for ${JSON.stringify(search)} matches literally and ignores case`, async (ports) => {
      const family = await aFamily(ports);
      const names = ['Alpha', '100%', 'snake_case', 'back\\slash', "it's", 'été 🌞', 'Beta', null];
      for (const name of names) await aRecord(ports, family, { name });
      await aRecord(ports, family, { name: 'in the description', description: 'of ALPHA' });
      const { value } = await ports.records.list(family, { ...LIVE, search }, WHOLE);
      expect(value.items.map(({ name }) => name)).toEqual(finds);
      expect(value.count).toBe(finds.length);
    });
  }

  test('a record is found only under its own project and family', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const misses = [
      { ...elsewhere, id },
      { ...family, family: 'pipeline_transformation_configs', id } as const,
      { ...family, id: id + 1 },
      { ...family, id: Number.MAX_SAFE_INTEGER },
    ];
    for (const ref of misses) {
      expect((await ports.records.find(ref)).value).toBeNull();
      expect(await ports.configurationValues.of(ref)).toBeNull();
    }
  });
}

async function listed({ records }: Ports, family: FamilyRef, filter: Partial<RecordFilter>) {
  return idsOf((await records.list(family, { ...LIVE, ...filter }, WHOLE)).value.items);
}
