import { expect, test } from 'vitest';
import type { Plugin } from '../plugin/plugin.ts';
import { aConfigRecord } from './config-record.fixture.ts';
import { frontendView } from './frontend-view.ts';

const PLUGIN: Plugin = {
  id: 7,
  name: 'Plugin',
  description: 'Text',
  icon: 'https://example.com/icon.png',
  configSchema: [
    { key: 'theme', type: 'string', site: true },
    { key: '__proto__', type: 'string', site: true },
    { key: 'host', type: 'string' },
    { key: 'hidden', type: 'string', site: false },
    { key: 'token', type: 'string', secret: true },
    { key: 'former', type: 'string', site: true },
    { key: 'both', type: 'json', site: true, secret: true },
  ],
};

const RECORD = aConfigRecord({
  config:
    '{"theme":"dark","__proto__":"a","host":"b","hidden":"c","token":"********","former":"********","both":null,"other":1}',
  error: 'Broken',
  deliveryRate: '0.5000',
  pluginInfo: '{"id":7,"name":"Plugin","description":"Text"}',
});

const REGISTRATION = { secretNames: new Set(['token', 'former', 'both']), plugin: PLUGIN };

test('a browser gets only the fields for the site, and no current or former secrets', () => {
  const { config } = frontendView(RECORD, REGISTRATION);
  expect(config).toBe('{"theme":"dark","__proto__":"a"}');
});

test('a browser gets no error, and only the public part of the plugin', () => {
  const view = frontendView(RECORD, REGISTRATION);
  expect(view.error).toBeNull();
  expect(view.pluginInfo).toBe('{"id":7,"name":"Plugin","icon":"https://example.com/icon.png","url":null}');
});

test('the other fields of the record stay the same', () => {
  const view = frontendView(RECORD, REGISTRATION);
  const { config, error, pluginInfo } = view;
  expect(view).toEqual({ ...RECORD, config, error, pluginInfo });
});

test('without a registered plugin or a schema, the configuration is not shown', () => {
  const unregistered = frontendView(RECORD, { ...REGISTRATION, plugin: null });
  expect(unregistered).toMatchObject({ config: '{}', pluginInfo: null });
  const plain = frontendView(RECORD, { ...REGISTRATION, plugin: { id: 7, name: 'Plugin' } });
  expect(plain.config).toBe('{}');
});
