import type { ConfigRecord, RecordRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord, aRecordDraft, mustStore } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { everyPage, LARGE } from './every-page.ts';
import { WHOLE } from './read-state.ts';

/** The ended revision of a change that keeps the configuration. */
const SAME = { ended: { config: null } };

const VERSIONS = { schemaVersion: 1, pinnedVersion: null };

export function revisionStoreContract(test: TestWith<Ports>): void {
  test('a new record has one revision, by its author', async (ports) => {
    const author = anAuthor({ at: secondsLater(5), requestId: 'create' });
    const draft = aRecordDraft({ plugin: 3, enabled: true, name: 'Näme 🚀' });
    const options = { author, requireRegistered: false };
    const record = await mustStore(ports.records.create(await aFamily(ports), draft, options));
    const first = { ...author, ...VERSIONS, number: 1, name: 'Näme 🚀', description: null, config: '{}' };
    expect(await ports.revisions.page(record, WHOLE)).toEqual({ count: 1, items: [first] });
    expect(await ports.revisions.find(record, 1)).toEqual(first);
    expect(await ports.revisions.find(record, 2)).toBeNull();
  });

  test('a change that ends a revision keeps it unchanged, and starts the next one under its author', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'First' });
    const { id: keyId, label } = await ports.keys.add(anApiKey({ label: 'Key' }), anAuthor());
    const by = { actor: { keyId, label }, requestId: 'rename', at: secondsLater(9) };
    const renamed = await saved(ports, record, { name: 'Second' }, { ...SAME, activity: by });
    await saved(ports, renamed, { description: 'Third', config: '{"a":1.50}' }, { ended: { config: '{}' } });
    expect((await ports.revisions.page(record, WHOLE)).items).toEqual([
      { ...anAuthor(), ...VERSIONS, number: 3, name: 'Second', description: 'Third', config: '{"a":1.50}' },
      { ...by, ...VERSIONS, number: 2, name: 'Second', description: null, config: '{}' },
      { ...anAuthor(), ...VERSIONS, number: 1, name: 'First', description: null, config: '{}' },
    ]);
  });

  test('other changes create no revision', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await saved(ports, record, { enabled: true, order: 9, plugin: 8, deleted: false });
    expect((await ports.revisions.page(record, WHOLE)).count).toBe(1);
  });

  test('each revision has its own configuration, even after changes that kept it', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports));
    const configs = ['{}', '{}', '{"a":1}', '{"a":1}', '{"a":1}', '{"b":2}', '{"b":2}'];
    for (const [i, config] of configs.entries()) {
      if (i === 0) continue;
      const before = configs[i - 1] ?? '';
      const ended = { config: before === config ? null : before };
      record = await saved(ports, record, { name: `Name ${i}`, config }, { ended });
    }
    const { items } = await ports.revisions.page(record, WHOLE);
    expect(items.map(({ config }) => config).toReversed()).toEqual(configs);
    for (const [i, config] of configs.entries()) {
      expect(await ports.revisions.find(record, i + 1)).toMatchObject({ number: i + 1, config });
    }
  });

  test('the newest revision comes first, page by page, and a page past the end is empty', async (ports) => {
    let record = await aRecord(ports, await aFamily(ports), { name: 'Name 1' });
    for (const i of [2, 3, 4]) record = await saved(ports, record, { name: `Name ${i}` }, SAME);
    const { items } = await ports.revisions.page(record, WHOLE);
    expect(items.map(({ number, name }) => [number, name])).toEqual(
      [4, 3, 2, 1].map((number) => [number, `Name ${number}`]),
    );
    expect(await ports.revisions.page(record, { limit: 2, offset: 1 })).toEqual({
      count: 4,
      items: items.slice(1, 3),
    });
    expect(await ports.revisions.page(record, { limit: 2, offset: 2_147_483_647 })).toEqual({
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
    const pages = await everyPage((page) => ports.revisions.page(record, page));
    expect(pages.map(({ length }) => length)).toEqual([LARGE.onPage, 3]);
    const numbers = pages.flat().map(({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: LARGE.onPage + 3 }, (_, i) => LARGE.onPage + 3 - i));
  });

  test('the revisions of a record are read only under its own project and family', async (ports) => {
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
      expect(await ports.revisions.page(other, WHOLE)).toEqual({ count: 0, items: [] });
      expect(await ports.revisions.find(other, 1)).toBeNull();
    }
  });

  test('a deleted record keeps its revisions', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'First' });
    const renamed = await saved(ports, record, { name: 'Second' }, SAME);
    await saved(ports, renamed, { deleted: true, enabled: false });
    expect((await ports.revisions.page(record, WHOLE)).items.map(({ name }) => name)).toEqual([
      'Second',
      'First',
    ]);
  });

  test('an outdated write keeps no revision', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await saved(ports, record, { name: 'Faster' }, SAME);
    expect(await ports.records.save(aRecordWrite(record, { name: 'Late' }, SAME))).toBeNull();
    expect((await ports.revisions.page(record, WHOLE)).count).toBe(2);
  });
}

async function saved(
  { records }: Ports,
  before: ConfigRecord,
  ...[change, extras]: [Parameters<typeof aRecordWrite>[1], Parameters<typeof aRecordWrite>[2]?]
): Promise<ConfigRecord> {
  const stored = await records.save(aRecordWrite(before, change, extras));
  if (stored === null) throw new Error('the record has changed since');
  return stored;
}
