import { anAuthor } from '../../builders/an-author.ts';
import { expect } from 'vitest';
import { aFamily } from '../../builders/a-family.ts';
import { aPlugin } from '../../builders/a-plugin.ts';
import { aRecord } from '../../builders/a-record.ts';
import { aRecordWrite } from '../../builders/a-record-write.ts';
import { aKeyHash } from '../../builders/an-api-key.ts';
import type { Ports } from '../../ports.ts';
import type { TestWith } from '../../test-with.ts';
import { liveRecords } from '../read-state.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'keys in any order': '{"b":1,"a":{"d":[],"c":null},"10":1}',
  'a null character and a lone surrogate, escaped': String.raw`{"text":"\u0000 \ud800"}`,
  'numbers as they were written': '{"a":0.1,"b":1e+21,"c":-5,"d":9007199254740993}',
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
      expect((await ports.records.configuration(before))?.record.config).toBe(config);
      expect((await liveRecords(ports, family)).map((record) => record.config)).toEqual([config]);
      const { projectId: project, id: recordId } = before;
      const answer = await ports.probe.ask({
        keyHash: aKeyHash(99),
        project,
        family: family.family,
        recordId,
      });
      expect(answer.record?.config).toBe(config);
    });
  }

  test('secrets are kept beside the record, and replaced as a whole', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const first = new Map([
      ['token', 'sealed:1'],
      ['größe 🔑', 'sealed:2'],
      ['__proto__', 'sealed:3'],
      ['constructor', 'sealed:4'],
    ]);
    const saved = await ports.records.save(aRecordWrite(before, {}, { secrets: first }));
    expect(await ports.records.configuration(before)).toEqual({
      record: saved,
      secrets: first,
      plugin: null,
      pluginRevision: null,
    });
    const second = new Map([
      ['token', 'sealed:5'],
      ['new', 'sealed:6'],
    ]);
    const again = await ports.records.save(aRecordWrite(saved ?? before, {}, { secrets: second }));
    expect((await ports.records.configuration(before))?.secrets).toEqual(second);
    await ports.records.save(aRecordWrite(again ?? before, {}, { secrets: new Map() }));
    expect((await ports.records.configuration(before))?.secrets).toEqual(new Map());
  });

  test('a change without secrets leaves them as they are', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports));
    const secrets = new Map([['token', 'sealed']]);
    const saved = await ports.records.save(aRecordWrite(before, {}, { secrets }));
    await ports.records.save(aRecordWrite(saved ?? before, { name: 'Renamed' }));
    expect((await ports.records.configuration(before))?.secrets).toEqual(secrets);
  });

  test('only the answer with the configuration holds a sealed secret', async (ports) => {
    const family = await aFamily(ports);
    const before = await aRecord(ports, family);
    const secrets = new Map([['token', 'sealed-secret']]);
    const saved = await ports.records.save(aRecordWrite(before, {}, { secrets }));
    const found = await ports.records.find(before);
    const listed = await liveRecords(ports, family);
    expect(JSON.stringify([saved, found, listed])).not.toContain('sealed-secret');
  });

  test('a configuration is read together with the registration of its plugin or of another one', async (ports) => {
    const before = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const seed = { config: '{}', secrets: new Map<string, string>() };
    const [seven, eight] = [
      aPlugin({ id: 7 }),
      aPlugin({ id: 8, configSchema: [{ key: 'host', type: 'string' }] }),
    ];
    await ports.plugins.register(seven, seed, anAuthor());
    await ports.plugins.register(eight, seed, anAuthor());
    const pluginOf = async (plugin?: number) => (await ports.records.configuration(before, plugin))?.plugin;
    expect(await pluginOf()).toEqual(seven);
    expect(await pluginOf(8)).toEqual(eight);
    expect(await pluginOf(9)).toBeNull();
  });
}
