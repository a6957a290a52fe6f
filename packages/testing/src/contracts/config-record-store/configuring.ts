import { MASK, type ConfigRecord } from '@plugin-config/domain';
import { anAuthor } from '../../builders/an-author.ts';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { aKeyHash } from '../../builders/an-api-key.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { liveRecords, WHOLE } from '../read-state.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'keys in any order': '{"b":1,"a":{"d":[],"c":null},"10":1}',
  'a null character and a lone surrogate, escaped': String.raw`{"text":"\u0000 \ud800"}`,
  'numbers with their original digits': '{"a":0.1,"b":1e+21,"c":-5,"d":9007199254740993}',
  'names of built-in properties of objects': '{"__proto__":{"a":1},"constructor":"b","toString":null}',
  'quotes, backslashes and other scripts': JSON.stringify({ 'größe "漢"': '\\ \' " \n 🚀' }),
  '256 KiB': JSON.stringify({ text: 'x'.repeat(256 * 1024 - 11) }),
};

export function configuringContract(test: TestWith<Ports>): void {
  for (const [name, config] of Object.entries(TEXTS)) {
    test(`a configuration is read exactly as it was stored: ${name}`, async (ports) => {
      const family = await aFamily(ports);
      const before = await aRecord(ports, family);
      expect(await ports.records.save(aRecordWrite(before, { config }))).toMatchObject({ config });
      expect((await ports.records.find(before)).value?.config).toBe(config);
      expect((await ports.configurationValues.of(before))?.values).toBe(config);
      expect((await liveRecords(ports, family)).map((record) => record.config)).toEqual([config]);
      const { projectId: project, id: recordId } = before;
      const result = await ports.probe.read({
        keyHash: aKeyHash(99),
        project,
        family: family.family,
        recordId,
      });
      expect(result.record?.config).toBe(config);
    });
  }

  test('secrets are masked in every response, and readable for their authorised readers', async (ports) => {
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 7 });
    const values = '{"host":"a","token":"hunter2"}';
    await ports.plugins.register(SECRET, new Map(), anAuthor());
    const before = (await ports.records.find(record)).value ?? record;
    const config = `{"host":"a","token":"${MASK}"}`;
    const saved = await ports.records.save(aRecordWrite(before, { config }, { values }));
    const found = (await ports.records.find(record)).value;
    const { projectId: project } = family;
    const query = { keyHash: aKeyHash(99), project, family: family.family, recordId: record.id };
    const { record: queried } = await ports.probe.read(query);
    const locked = await ports.records.lock(family, (held) => held.record(record.id));
    const chunk = await ports.records.chunk(family, [record.id], 1);
    const listed = await liveRecords(ports, family);
    expect(saved?.config).toBe(config);
    expect([found, queried, locked, ...chunk, ...listed]).toEqual(Array.from({ length: 5 }, () => saved));
    const shown = { secretNames: new Set(['token']), plugin: SECRET };
    expect(await ports.plugins.registrationOf(saved ?? record)).toMatchObject(shown);
    expect(await ports.configurationValues.of(record)).toEqual({
      ...shown,
      record: saved,
      values,
      defaults: new Map(),
      jsonSchemas: ports.jsonSchemas,
    });
  });

  test('a change to other fields keeps the configuration', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const values = '{"token":"hunter2"}';
    const saved = await ports.records.save(aRecordWrite(before, { config: values }));
    await ports.records.save(aRecordWrite(saved ?? before, { name: 'Renamed' }));
    expect(await ports.configurationValues.of(before)).toMatchObject({ values, record: { name: 'Renamed' } });
  });

  const changes: Readonly<Record<string, (ports: Ports, record: ConfigRecord) => Promise<unknown>>> = {
    'its plugin is registered': ({ plugins }) => plugins.register(SECRET, new Map(), anAuthor()),
    'its plugin declared it, and is registered without it': async ({ plugins }) => {
      await plugins.register(SECRET, new Map(), anAuthor());
      await plugins.register(
        aPlugin({ configSchema: [{ key: 'token', type: 'string' }] }),
        new Map(),
        anAuthor(),
      );
    },
    'its plugin declared it, and is removed': async ({ plugins }) => {
      await plugins.register(SECRET, new Map(), anAuthor());
      await plugins.remove(7, anAuthor());
    },
    'a former plugin declares it afterwards': async ({ plugins, records }, record) => {
      await records.save(aRecordWrite(record, { plugin: 8, formerPlugins: [7] }));
      await plugins.register(SECRET, new Map(), anAuthor());
    },
    'it was attached to another plugin and back': async ({ plugins, records }, record) => {
      const left = await records.save(aRecordWrite(record, { plugin: 8, formerPlugins: [7] }));
      await records.save(aRecordWrite(left ?? record, { plugin: 7, formerPlugins: [7, 8] }));
      await plugins.register(aPlugin({ ...SECRET, id: 8 }), new Map(), anAuthor());
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    test(`a plain value is masked everywhere once it is secret: ${name}`, async (ports) => {
      const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
      const config = '{"token":"hunter2","host":"a"}';
      const activity = {
        activity: 'config_updated',
        changes: [{ field: 'config.token', before: 'hunter1', after: 'hunter2' }],
      } as const;
      const set = await ports.records.save(
        aRecordWrite(record, { config }, { ended: { config: '{"token":"hunter1"}' }, activity }),
      );
      const seen = async () =>
        JSON.stringify([
          await ports.records.find(record),
          await liveRecords(ports, record),
          (await ports.configurationValues.of(record))?.record,
          await ports.activity.page(record, WHOLE),
          await ports.activity.familyPage(record, EVERY_CHANGE, WHOLE),
          await ports.revisions.page(record, WHOLE),
          await ports.revisions.find(record, 1),
        ]);
      expect((await seen()).match(/hunter/g)).toHaveLength(10);
      await change(ports, set ?? record);
      expect(await seen()).not.toContain('hunter');
      expect((await ports.configurationValues.of(record))?.values).toBe(config);
    });
  }

  test('a reference to a secret is shown unmasked', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const config = '{"token":{"$ref":"vault://team#token"}}';
    await ports.records.save(aRecordWrite(record, { config }));
    await ports.plugins.register(SECRET, new Map(), anAuthor());
    expect((await ports.records.find(record)).value?.config).toBe(config);
  });
}

const SECRET = aPlugin({ id: 7, configSchema: [{ key: 'token', type: 'string', secret: true }] });
const EVERY_CHANGE = { recordId: null, activity: null, actor: null, after: null, before: null };
