import { expect, test } from 'vitest';
import { browserPluginInfo, pluginInfo, type Plugin } from './plugin.ts';

const PLUGIN: Plugin = {
  id: 7,
  name: 'Plugin',
  description: 'Text',
  url: 'https://example.com',
  icon: 'https://example.com/icon.png',
  configSchema: [{ key: 'token', type: 'string', secret: true }],
};

test('records show the full registration of their plugin', () => {
  const { configSchema, ...rest } = PLUGIN;
  expect(JSON.parse(pluginInfo(PLUGIN))).toEqual({ ...rest, config_schema: configSchema });
  expect(pluginInfo({ id: 7, name: 'Plugin' })).toBe('{"id":7,"name":"Plugin"}');
});

test('a browser sees the id, name, icon and URL of a plugin', () => {
  const { id, name, icon, url } = PLUGIN;
  expect(JSON.parse(browserPluginInfo(PLUGIN))).toEqual({ id, name, icon, url });
  expect(JSON.parse(browserPluginInfo({ id, name }))).toEqual({ id, name, icon: null, url: null });
});
