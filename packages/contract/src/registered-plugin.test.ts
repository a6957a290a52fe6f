import { describe, expect, test } from 'vitest';
import { pluginFile } from './registered-plugin.ts';
import { validate } from './validate.ts';

const field = { key: 'token', type: 'string', secret: true };

describe('a plugin file', () => {
  test('is parsed', () => {
    const file = { id: 7, name: 'GeoIP', url: 'https://example.com', config_schema: [field] };
    expect(validate(pluginFile, file).value).toEqual({
      id: 7,
      name: 'GeoIP',
      url: 'https://example.com',
      configSchema: [field],
    });
  });

  test('without an id names the plugin by its slug', () => {
    expect(validate(pluginFile, { slug: 'geoip', name: 'GeoIP' }).value).toEqual({
      id: 'slug:geoip',
      slug: 'geoip',
      name: 'GeoIP',
    });
  });

  test('treats a null text as absent', () => {
    const texts = { description: null, url: null, icon: null };
    const file = { id: 7, name: 'GeoIP', ...texts, config_schema: [{ ...field, name: null, hint: null }] };
    expect(validate(pluginFile, file).value).toEqual({ id: 7, name: 'GeoIP', configSchema: [field] });
  });

  test.each([
    [{ name: 'x' }, 'required', 'id'],
    [{ id: '7', name: 'x' }, 'invalid_input', 'id'],
    [{ name: 'x', slug: null }, 'required', 'id'],
    [{ id: 7, slug: 'Geo', name: 'x' }, 'invalid_input', 'slug'],
    [{ id: 7 }, 'required', 'name'],
    [{ id: 7, name: '' }, 'blank', 'name'],
    [{ id: 7, name: 'x', main: 'index.js' }, 'invalid_input', 'main'],
    [{ id: 7, name: 'x', config_schema: {} }, 'invalid_input', 'config_schema'],
    [{ id: 7, name: 'x', config_schema: [{ type: 'string' }] }, 'required', 'config_schema.0.key'],
    [
      { id: 7, name: 'x', config_schema: [field, { key: 'a', type: 'text' }] },
      'invalid_input',
      'config_schema.1.type',
    ],
    [
      { id: 7, name: 'x', config_schema: [{ ...field, secert: true }] },
      'invalid_input',
      'config_schema.0.secert',
    ],
    [
      { id: 7, name: 'x', config_schema: [{ ...field, choices: [1] }] },
      'invalid_input',
      'config_schema.0.choices.0',
    ],
  ])('%j is rejected as %s at %s', (file, code, attr) => {
    expect(validate(pluginFile, file).error).toMatchObject({ code, attr });
  });

  test('with an unknown type is rejected with a list of valid types', () => {
    const { error } = validate(pluginFile, { id: 7, name: 'x', config_schema: [{ key: 'a', type: 'text' }] });
    expect(error?.detail).toBe(
      'Not a valid choice. Valid choices: "string", "number", "boolean", "choice", "json".',
    );
  });
});
