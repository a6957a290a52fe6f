import {
  MASK,
  registerPlugin,
  setConfiguration,
  type ConfigRecord,
  type JsonObject,
  type Precondition,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aPlugin,
  aRecord,
  historyOf,
  secondsLater,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { competing } from '../testing/competing.ts';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'configure' });
const PLUGIN = aPlugin({
  configSchema: [
    { key: 'host', type: 'string' },
    { key: 'token', type: 'string', secret: true },
  ],
});

const test = testWithPorts();

describe('setting a configuration', () => {
  test('a configuration is replaced as a whole, and the activity lists each changed key', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const first = await configure(ports, record, { host: 'a', port: 1 });
    const second = await configure(ports, first, { port: 2 });
    expect(second).toEqual({
      ...record,
      config: '{"port":2}',
      updatedAt: AUTHOR.at,
      version: record.version + 2,
      configVersion: record.configVersion + 2,
    });
    expect((await historyOf(ports, record))[0]).toMatchObject({
      ...AUTHOR,
      activity: 'config_updated',
      changes: [
        { field: 'config.host', before: 'a', after: null },
        { field: 'config.port', before: 1, after: 2 },
      ],
    });
  });

  test('an equal configuration has no effect', async (ports) => {
    const record = await configure(ports, await aRecord(ports, await aFamily(ports)), { a: { b: [1] } });
    expect(await configure(ports, record, { a: { b: [1] } })).toEqual(record);
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a secret is stored and shown masked', async (ports) => {
    await register(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const updated = await configure(ports, record, { host: 'a', token: 'hunter2 🤫' });
    expect(updated.config).toBe('{"host":"a","token":"********"}');
    expect(await valuesOf(ports, record)).toEqual({ host: 'a', token: 'hunter2 🤫' });
    expect(JSON.stringify(await historyOf(ports, record))).not.toContain('hunter2');
  });

  test('a missing or masked secret keeps its value, and an empty one is cleared', async (ports) => {
    await register(ports);
    let record = await aRecord(ports, await aFamily(ports));
    record = await configure(ports, record, { token: 'first' });
    for (const newConfig of [{ host: 'a' }, { host: 'b', token: MASK }]) {
      record = await configure(ports, record, newConfig);
      expect(await valuesOf(ports, record)).toEqual({ ...newConfig, token: 'first' });
    }
    record = await configure(ports, record, { token: '' });
    expect(record.config).toBe('{}');
    expect(await valuesOf(ports, record)).toEqual({});
  });

  test('a configuration that violates the schema of the plugin is rejected and not stored', async (ports) => {
    await register(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const configuring = configure(ports, record, { host: 1 });
    await expect(configuring).rejects.toMatchObject({ code: 'invalid_input', attr: 'host' });
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('a precondition applies to the version of the record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await configure(ports, record, { a: 1 }, [record.version]);
    const late = configure(ports, record, { a: 2 }, [record.version]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect((await ports.records.find(record)).value?.config).toBe('{"a":1}');
  });

  test('the last of two replacements wins, and the history shows both', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => configure(ports, record, { a: 'faster' }));
    expect((await configure({ ...ports, records }, record, { a: 'slower' })).config).toBe('{"a":"slower"}');
    expect((await historyOf(ports, record))[0]?.changes).toEqual([
      { field: 'config.a', before: 'faster', after: 'slower' },
    ]);
  });

  test('a secret that a concurrent writer stored is kept', async (ports) => {
    await register(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => configure(ports, record, { token: 'faster' }));
    expect((await configure({ ...ports, records }, record, { host: 'a' })).config).toBe(
      '{"host":"a","token":"********"}',
    );
    expect(await valuesOf(ports, record)).toEqual({ host: 'a', token: 'faster' });
  });

  test('a value is masked even if the plugin that marks it as secret is registered concurrently', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => register(ports));
    expect((await configure({ ...ports, records }, record, { token: 'clear' })).config).toBe(
      '{"token":"********"}',
    );
    expect(await valuesOf(ports, record)).toEqual({ token: 'clear' });
    expect(JSON.stringify((await historyOf(ports, record))[0])).not.toContain('clear');
  });

  test('concurrent writers and registrations never reveal a secret', async (ports) => {
    const family = await aFamily(ports);
    const attached: ConfigRecord[] = [];
    for (let i = 0; i < 10; i++) attached.push(await aRecord(ports, family));
    const configuring = attached.map((record, i) => configure(ports, record, { token: `clear ${i}` }));
    await Promise.all([...configuring.slice(0, 5), register(ports), ...configuring.slice(5)]);
    for (const [i, record] of attached.entries()) {
      expect((await ports.records.find(record)).value?.config).toBe('{"token":"********"}');
      expect(await valuesOf(ports, record)).toEqual({ token: `clear ${i}` });
    }
  });
});

function configure(
  { records, configurationValues }: Pick<Ports, 'records' | 'configurationValues'>,
  record: ConfigRecord,
  newConfig: JsonObject,
  precondition: Precondition = null,
): Promise<ConfigRecord> {
  return setConfiguration(
    { records, configurationValues },
    { record, precondition, newConfig, author: AUTHOR },
  );
}

async function register(ports: Ports): Promise<void> {
  await registerPlugin(ports, PLUGIN, anAuthor());
}

async function valuesOf({ configurationValues }: Ports, record: ConfigRecord): Promise<unknown> {
  return JSON.parse((await configurationValues.of(record))?.values ?? 'null');
}
