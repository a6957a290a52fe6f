import {
  MASK,
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
  memorySecretBox,
  registerAndSeal,
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
      configRevision: record.configRevision + 2,
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

  test('an equal configuration changes nothing', async (ports) => {
    const record = await configure(ports, await aRecord(ports, await aFamily(ports)), { a: { b: [1] } });
    expect(await configure(ports, record, { a: { b: [1] } })).toEqual(record);
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a secret is stored sealed and shown masked', async (ports) => {
    await register(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const updated = await configure(ports, record, { host: 'a', token: 'geheim 🤫' });
    expect(updated.config).toBe('{"host":"a","token":"********"}');
    expect(await secretsOf(ports, record)).toEqual({ token: '"geheim 🤫"' });
    expect(JSON.stringify(await historyOf(ports, record))).not.toContain('geheim');
  });

  test('a secret that is missing or masked keeps its value, an empty one clears it', async (ports) => {
    await register(ports);
    let record = await aRecord(ports, await aFamily(ports));
    record = await configure(ports, record, { token: 'first' });
    for (const newConfig of [{ host: 'a' }, { host: 'b', token: MASK }]) {
      record = await configure(ports, record, newConfig);
      expect(await secretsOf(ports, record)).toEqual({ token: '"first"' });
    }
    record = await configure(ports, record, { token: '' });
    expect(record.config).toBe('{}');
    expect(await secretsOf(ports, record)).toEqual({});
  });

  test('a configuration that violates the schema of the plugin is refused and not stored', async (ports) => {
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
    expect((await configure({ records }, record, { a: 'slower' })).config).toBe('{"a":"slower"}');
    expect((await historyOf(ports, record))[0]?.changes).toEqual([
      { field: 'config.a', before: 'faster', after: 'slower' },
    ]);
  });

  test('the answer holds the requested values even if a concurrent writer stored them first', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await configure(ports, record, { a: 1 });
    expect((await configure(ports, record, { a: 1 })).config).toBe('{"a":1}');
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a secret that a concurrent writer stored is kept', async (ports) => {
    await register(ports);
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => configure(ports, record, { token: 'faster' }));
    expect((await configure({ records }, record, { host: 'a' })).config).toBe(
      '{"host":"a","token":"********"}',
    );
    expect(await secretsOf(ports, record)).toEqual({ token: '"faster"' });
  });

  test('a value is sealed if the plugin that marks it as secret is registered concurrently', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => register(ports));
    expect((await configure({ records }, record, { token: 'clear' })).config).toBe('{"token":"********"}');
    expect(await secretsOf(ports, record)).toEqual({ token: '"clear"' });
    expect(JSON.stringify((await historyOf(ports, record))[0])).not.toContain('clear');
  });

  test('concurrent writers and a registration leave no secret in the clear', async (ports) => {
    const family = await aFamily(ports);
    const attached: ConfigRecord[] = [];
    for (let i = 0; i < 10; i++) attached.push(await aRecord(ports, family));
    const configuring = attached.map((record, i) => configure(ports, record, { token: `clear ${i}` }));
    await Promise.all([...configuring.slice(0, 5), register(ports), ...configuring.slice(5)]);
    for (const [i, record] of attached.entries()) {
      expect((await ports.records.find(record)).value?.config).toBe('{"token":"********"}');
      expect(await secretsOf(ports, record)).toEqual({ token: `"clear ${i}"` });
    }
  });
});

function configure(
  { records }: Pick<Ports, 'records'>,
  record: ConfigRecord,
  newConfig: JsonObject,
  precondition: Precondition = null,
): Promise<ConfigRecord> {
  const secretBox = memorySecretBox();
  return setConfiguration({ records, secretBox }, { record, precondition, newConfig, author: AUTHOR });
}

function register({ plugins }: Ports): Promise<void> {
  return registerAndSeal({ plugins, secretBox: memorySecretBox() }, PLUGIN);
}

async function secretsOf({ records }: Ports, record: ConfigRecord): Promise<Record<string, string>> {
  const secrets = (await records.configuration(record))?.secrets ?? [];
  return Object.fromEntries([...secrets].map(([key, sealed]) => [key, memorySecretBox().open(sealed)]));
}
