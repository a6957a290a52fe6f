import {
  registerPlugin,
  setConfiguration,
  updateRecord,
  type ConfigField,
  type ConfigRecord,
  type Plugin,
} from '@plugin-config/domain';
import { aFamily, allPlugins, anAuthor, aPlugin, aRecord, type Ports } from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const SCHEMA: readonly ConfigField[] = [
  { key: 'host', type: 'string', default: 'localhost' },
  { key: 'retries', type: 'number', default: 0 },
  { key: 'path', type: 'string' },
  { key: 'token', type: 'string', secret: true, default: 'hunter2' },
];

const test = testWithPorts();

describe('registering a plugin', () => {
  test('records show the defaults of the schema', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const record = await aRecord(ports, await aFamily(ports));
    expect(JSON.parse(record.config)).toEqual({ host: 'localhost', retries: 0, token: '********' });
    const stored = await ports.configurationValues.of(record);
    expect(stored).toMatchObject({
      values: '{}',
      defaults: new Map<string, unknown>([
        ['host', 'localhost'],
        ['retries', 0],
        ['token', 'hunter2'],
      ]),
    });
  });

  test('the schema does not show the defaults of secrets', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const record = await aRecord(ports, await aFamily(ports));
    const { plugins, activity } = ports;
    const visible = [
      await plugins.find(7),
      await allPlugins(plugins),
      record,
      await activity.page(record, { limit: 9, offset: 0 }),
    ];
    expect(JSON.stringify(visible)).not.toContain('hunter2');
    expect(JSON.parse(record.pluginInfo ?? '')).toEqual({
      id: 7,
      name: 'Plugin',
      config_schema: [...SCHEMA.slice(0, 3), { key: 'token', type: 'string', secret: true }],
    });
  });

  test('a value that a later schema marks as secret no longer appears in responses or the history', async (ports) => {
    const family = await aFamily(ports);
    const dependencies = { ...ports, requireRegistered: false };
    const set = async (plugin: number): Promise<ConfigRecord> => {
      const record = await aRecord(ports, family, { plugin });
      const newConfig = { token: ['hunter2', { deep: 'hunter2' }], host: 'open' };
      return setConfiguration(dependencies, { record, precondition: null, newConfig, author: anAuthor() });
    };
    const [registeredLater, attachedLater] = [await set(7), await set(8)];
    await register(ports, aPlugin({ configSchema: [{ key: 'token', type: 'json', secret: true }] }));
    const change = { record: attachedLater, precondition: null, change: { plugin: 7 }, author: anAuthor() };
    await updateRecord(dependencies, change);
    for (const record of [registeredLater, attachedLater]) {
      const { items } = await ports.activity.page(record, { limit: 9, offset: 0 });
      const visible = JSON.stringify([items, await ports.records.find(record)]);
      expect(visible).not.toContain('hunter2');
      expect(visible).toContain('open');
      expect(visible).toContain('config.token');
    }
  });

  test('records of a plugin without a schema start empty', async (ports) => {
    await register(ports, aPlugin());
    expect((await aRecord(ports, await aFamily(ports))).config).toBe('{}');
  });

  test('an invalid schema is rejected, and the registered plugin does not change', async (ports) => {
    await register(ports, aPlugin({ configSchema: SCHEMA }));
    const before = await ports.plugins.find(7);
    const registering = register(ports, aPlugin({ configSchema: [...SCHEMA, ...SCHEMA] }));
    await expect(registering).rejects.toMatchObject({ code: 'invalid_input', attr: 'config_schema' });
    expect(await ports.plugins.find(7)).toEqual(before);
  });
});

async function register(ports: Ports, plugin: Plugin): Promise<void> {
  await registerPlugin(ports, plugin, anAuthor());
}
