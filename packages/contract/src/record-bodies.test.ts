import { describe, expect, test } from 'vitest';
import { configurationBody, createBody, updateBody } from './record-bodies.ts';
import { validate } from './validate.ts';

describe('the body of a create request', () => {
  test.each([
    [{}, 'required', 'plugin', 'This field is required.'],
    [{ plugin: null }, 'null', 'plugin', 'This field may not be null.'],
    [{ plugin: '5' }, 'invalid_input', 'plugin', 'A valid integer is required, or slug: and a slug.'],
    [{ plugin: 5.5 }, 'invalid_input', 'plugin', 'A valid integer is required, or slug: and a slug.'],
    [{ plugin: true }, 'invalid_input', 'plugin', 'A valid integer is required, or slug: and a slug.'],
    [{ plugin: 0 }, 'min_value', 'plugin', 'Ensure this value is greater than or equal to 1.'],
    [{ plugin: -1e30 }, 'min_value', 'plugin', 'Ensure this value is greater than or equal to 1.'],
    [{ plugin: 2147483648 }, 'max_value', 'plugin', 'Ensure this value is less than or equal to 2147483647.'],
    [{ plugin: 1e300 }, 'max_value', 'plugin', 'Ensure this value is less than or equal to 2147483647.'],
    [{ plugin: 1, order: -1 }, 'min_value', 'order', 'Ensure this value is greater than or equal to 0.'],
    [{ plugin: 1, order: null }, 'null', 'order', 'This field may not be null.'],
    [{ plugin: 1, enabled: 'true' }, 'invalid_input', 'enabled', 'A valid boolean is required.'],
    [{ plugin: 1, enabled: null }, 'null', 'enabled', 'This field may not be null.'],
    [{ plugin: 1, deleted: 0 }, 'invalid_input', 'deleted', 'A valid boolean is required.'],
    [{ plugin: 1, name: 7 }, 'invalid_input', 'name', 'A valid string is required.'],
    [
      { plugin: 1, name: 'x'.repeat(401) },
      'max_length',
      'name',
      'Ensure this field has no more than 400 characters.',
    ],
    [
      { plugin: 1, description: '😀'.repeat(1001) },
      'max_length',
      'description',
      'Ensure this field has no more than 1000 characters.',
    ],
    [
      { plugin: 1, name: 'a\0b' },
      'invalid_input',
      'name',
      'Null characters and lone surrogates are not allowed.',
    ],
    [
      { plugin: 1, name: '\ud800' },
      'invalid_input',
      'name',
      'Null characters and lone surrogates are not allowed.',
    ],
    [[], 'invalid_input', null, 'A JSON object is required.'],
    [null, 'invalid_input', null, 'A JSON object is required.'],
    ['text', 'invalid_input', null, 'A JSON object is required.'],
  ])('%j is rejected as %s', (body, code, attr, detail) => {
    expect(validate(createBody, body).error).toMatchObject({ code, attr, detail, message: detail });
  });

  test('reports the first error in the order of the fields', () => {
    expect(validate(createBody, { name: 1, order: 'x', plugin: 1 }).error).toMatchObject({ attr: 'order' });
  });

  test('accepts an integer in any JSON notation', () => {
    expect(validate(createBody, JSON.parse('{"plugin": 5.0}')).value).toEqual({ plugin: 5 });
  });

  test('counts code points, not UTF-16 units', () => {
    const name = '😀'.repeat(400);
    expect(validate(createBody, { plugin: 1, name }).value).toMatchObject({ name });
  });

  test('ignores read-only and unknown fields', () => {
    const body = { plugin: 1, id: 'x', team_id: 4, created_at: null, other: {} };
    expect(validate(createBody, body).value).toEqual({ plugin: 1 });
  });

  test('takes a configuration as an object, and ignores text', () => {
    const config = { a: 1 };
    expect(validate(createBody, { plugin: 1, config }).value).toEqual({ plugin: 1, config });
    expect(validate(createBody, { plugin: 1, config: '{"a":1}' }).value).toEqual({ plugin: 1 });
    expect(validate(createBody, { plugin: 1, config: 3 }).error).toMatchObject({ attr: 'config' });
  });

  test('ignores __proto__', () => {
    const { value } = validate(createBody, JSON.parse('{"plugin": 1, "__proto__": {"enabled": true}}'));
    expect(value?.enabled).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('the body of an update request', () => {
  test('may be empty', () => {
    expect(validate(updateBody, {}).value).toEqual({});
  });

  test('accepts null as name and description', () => {
    const body = { name: null, description: null };
    expect(validate(updateBody, body).value).toEqual(body);
  });

  test('accepts an empty name', () => {
    expect(validate(updateBody, { name: '' }).value).toEqual({ name: '' });
  });

  test('treats a null deleted as absent', () => {
    expect(validate(updateBody, { deleted: null }).value).toEqual({ deleted: undefined });
  });
});

describe('a configuration', () => {
  test('is any JSON object, unchanged', () => {
    const body: unknown = JSON.parse('{"a": {"b": [1, null]}, "__proto__": {"c": 1}}');
    expect(validate(configurationBody, body).value).toBe(body);
  });

  test('is rejected if it is not an object', () => {
    for (const body of [[], null, 'text', 5, true]) {
      expect(validate(configurationBody, body).error).toMatchObject({ code: 'invalid_input', attr: null });
    }
  });
});
