import {
  MASK,
  registerPlugin,
  setConfiguration,
  type ConfigRecord,
  type JsonObject,
  type Precondition,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { historyOf } from '../contracts/read-state.ts';
import { memorySecretBox } from '../memory/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { competing } from './competing.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'configure' });
const PLUGIN = aPlugin({
  configSchema: [
    { key: 'host', type: 'string' },
    { key: 'token', type: 'string', secret: true },
  ],
});

/** Contract of setting a configuration, on any store. */
export function setConfigurationContract(test: TestWith<Ports>): void {
  test('a configuration is replaced as a whole, and the activity lists each changed key', async (ports) => {
    const known = await aRecord(ports, await aFamily(ports));
    const first = await configure(ports, known, { host: 'a', port: 1 });
    const second = await configure(ports, first, { port: 2 });
    expect(second).toEqual({
      ...known,
      config: '{"port":2}',
      updatedAt: AUTHOR.at,
      version: known.version + 2,
      configRevision: known.configRevision + 2,
    });
    expect((await historyOf(ports, known))[0]).toMatchObject({
      ...AUTHOR,
      activity: 'config_updated',
      changes: [
        { field: 'config.host', before: 'a', after: null },
        { field: 'config.port', before: 1, after: 2 },
      ],
    });
  });

  test('an equal configuration changes nothing', async (ports) => {
    const known = await configure(ports, await aRecord(ports, await aFamily(ports)), { a: { b: [1] } });
    expect(await configure(ports, known, { a: { b: [1] } })).toEqual(known);
    expect(await historyOf(ports, known)).toHaveLength(2);
  });

  test('a secret is stored sealed and shown masked', async (ports) => {
    await register(ports);
    const known = await aRecord(ports, await aFamily(ports));
    const updated = await configure(ports, known, { host: 'a', token: 'geheim 🤫' });
    expect(updated.config).toBe('{"host":"a","token":"********"}');
    expect(await secretsOf(ports, known)).toEqual({ token: '"geheim 🤫"' });
    expect(JSON.stringify(await historyOf(ports, known))).not.toContain('geheim');
  });

  test('a secret that is missing or masked keeps its value, an empty one clears it', async (ports) => {
    await register(ports);
    let known = await aRecord(ports, await aFamily(ports));
    known = await configure(ports, known, { token: 'first' });
    for (const newConfig of [{ host: 'a' }, { host: 'b', token: MASK }]) {
      known = await configure(ports, known, newConfig);
      expect(await secretsOf(ports, known)).toEqual({ token: '"first"' });
    }
    known = await configure(ports, known, { token: '' });
    expect(known.config).toBe('{}');
    expect(await secretsOf(ports, known)).toEqual({});
  });

  test('a configuration that violates the schema of the plugin is refused and not stored', async (ports) => {
    await register(ports);
    const known = await aRecord(ports, await aFamily(ports));
    const configuring = configure(ports, known, { host: 1 });
    await expect(configuring).rejects.toMatchObject({ code: 'invalid_input', attr: 'host' });
    expect((await ports.records.find(known)).value).toEqual(known);
  });

  test('a precondition applies to the version of the record', async (ports) => {
    const known = await aRecord(ports, await aFamily(ports));
    await configure(ports, known, { a: 1 }, [known.version]);
    const late = configure(ports, known, { a: 2 }, [known.version]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect((await ports.records.find(known)).value?.config).toBe('{"a":1}');
  });

  test('the last of two replacements wins, and the history shows both', async (ports) => {
    const known = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => configure(ports, known, { a: 'faster' }));
    expect((await configure({ records }, known, { a: 'slower' })).config).toBe('{"a":"slower"}');
    expect((await historyOf(ports, known))[0]?.changes).toEqual([
      { field: 'config.a', before: 'faster', after: 'slower' },
    ]);
  });

  test('the answer holds the requested values even if a concurrent writer stored them first', async (ports) => {
    const known = await aRecord(ports, await aFamily(ports));
    await configure(ports, known, { a: 1 });
    expect((await configure(ports, known, { a: 1 })).config).toBe('{"a":1}');
    expect(await historyOf(ports, known)).toHaveLength(2);
  });

  test('a secret that a concurrent writer stored is kept', async (ports) => {
    await register(ports);
    const known = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => configure(ports, known, { token: 'faster' }));
    expect((await configure({ records }, known, { host: 'a' })).config).toBe(
      '{"host":"a","token":"********"}',
    );
    expect(await secretsOf(ports, known)).toEqual({ token: '"faster"' });
  });

  test('a value is sealed if the plugin that marks it as secret is registered concurrently', async (ports) => {
    const known = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => register(ports));
    expect((await configure({ records }, known, { token: 'clear' })).config).toBe('{"token":"********"}');
    expect(await secretsOf(ports, known)).toEqual({ token: '"clear"' });
    expect(JSON.stringify((await historyOf(ports, known))[0])).not.toContain('clear');
  });

  test('concurrent writers and a registration leave no secret in the clear', async (ports) => {
    const family = await aFamily(ports);
    const known: ConfigRecord[] = [];
    for (let i = 0; i < 10; i++) known.push(await aRecord(ports, family));
    const configuring = known.map((record, i) => configure(ports, record, { token: `clear ${i}` }));
    await Promise.all([...configuring.slice(0, 5), register(ports), ...configuring.slice(5)]);
    for (const [i, record] of known.entries()) {
      expect((await ports.records.find(record)).value?.config).toBe('{"token":"********"}');
      expect(await secretsOf(ports, record)).toEqual({ token: `"clear ${i}"` });
    }
  });
}

function configure(
  { records }: Pick<Ports, 'records'>,
  known: ConfigRecord,
  newConfig: JsonObject,
  precondition: Precondition = null,
): Promise<ConfigRecord> {
  const secretBox = memorySecretBox();
  return setConfiguration({ records, secretBox }, { known, precondition, newConfig, author: AUTHOR });
}

function register({ plugins }: Ports): Promise<void> {
  return registerPlugin({ plugins, secretBox: memorySecretBox() }, PLUGIN);
}

async function secretsOf({ records }: Ports, record: ConfigRecord): Promise<Record<string, string>> {
  const secrets = (await records.configuration(record))?.secrets ?? [];
  return Object.fromEntries([...secrets].map(([key, sealed]) => [key, memorySecretBox().open(sealed)]));
}
