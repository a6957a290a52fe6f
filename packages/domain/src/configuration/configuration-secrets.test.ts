import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../kernel/json.ts';
import { utf8Length } from '../kernel/text.ts';
import type { ConfigField } from './config-field.ts';
import { HOST, LIMIT, parsed, rejection, replace, storedOf, TOKEN } from './configuration.fixture.ts';
import { defaultsOf, MASK, NO_VALUES, showConfiguration } from './configuration.ts';

const REFERENCE = { $ref: 'vault://team/mailer#token' };

describe('a secret', () => {
  const schema = [HOST, TOKEN];
  const without = storedOf({ schema });
  const withToken = storedOf({ schema, values: '{"token":"hunter2"}' });

  test('is stored as sent, and shown masked', () => {
    const { values, config, changes } = replace(without, { token: 'new', host: 'a' });
    expect(values).toBe('{"host":"a","token":"new"}');
    expect(config).toBe('{"host":"a","token":"********"}');
    expect(changes).toEqual([
      { field: 'config.host', before: null, after: 'a' },
      { field: 'config.token', before: null, after: MASK },
    ]);
  });

  test('is shown in the same order after the change and in later reads, even if its name is a number', () => {
    const stored = storedOf({ secretNames: ['1'] });
    const { values, config } = replace(stored, { host: 'a', '1': 'new' });
    expect(config).toBe('{"1":"********","host":"a"}');
    expect(showConfiguration(values, stored)).toBe(config);
  });

  test('is masked in the history when it is replaced', () => {
    const { values, changes } = replace(withToken, { token: 'new' });
    expect(values).toBe('{"token":"new"}');
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: MASK }]);
  });

  test('counts as changed whenever it is sent, so nobody can confirm a guess', () => {
    const { values, changes } = replace(withToken, { token: 'hunter2' });
    expect(values).toBe('{"token":"hunter2"}');
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: MASK }]);
    expect(changes).toEqual(replace(withToken, { token: 'hunter3' }).changes);
  });

  for (const newConfig of [{}, { token: MASK }]) {
    test(`is kept when ${JSON.stringify(newConfig)} is sent`, () => {
      const { values, config, changes } = replace(withToken, newConfig);
      expect([values, config]).toEqual(['{"token":"hunter2"}', '{"token":"********"}']);
      expect(changes).toEqual([]);
    });
  }

  test('is removed by an empty string', () => {
    const { values, changes } = replace(withToken, { token: '' });
    expect(values).toBe('{}');
    expect(changes).toEqual([{ field: 'config.token', before: MASK, after: null }]);
  });

  test('that is not stored cannot be set by its mask or removed by an empty string', () => {
    for (const token of [MASK, '']) {
      const { values, changes } = replace(without, { token });
      expect([values, changes]).toEqual(['{}', []]);
    }
  });

  test('that is required can be kept, but not omitted or removed', () => {
    const required = [{ ...TOKEN, required: true }];
    const kept = storedOf({ schema: required, values: '{"token":"hunter2"}' });
    expect(replace(kept, {}).values).toBe('{"token":"hunter2"}');
    for (const newConfig of [{}, { token: MASK }, { token: '' }]) {
      expect(() => replace(storedOf({ schema: required }), newConfig)).toThrow(
        rejection('required', 'token'),
      );
    }
    expect(() => replace(kept, { token: '' })).toThrow(rejection('required', 'token'));
  });

  test('may be of any type', () => {
    const types: readonly ConfigField[] = [
      { key: 'pin', type: 'number', secret: true },
      { key: 'on', type: 'boolean', secret: true },
      { key: 'extra', type: 'json', secret: true },
    ];
    const { values, config } = replace(storedOf({ schema: types }), {
      pin: 0,
      on: false,
      extra: { a: 'hunter2' },
    });
    expect(values).toBe('{"pin":0,"on":false,"extra":{"a":"hunter2"}}');
    expect(config).toBe('{"pin":"********","on":"********","extra":"********"}');
  });

  test('stays secret when its plugin is removed or no longer declares it', () => {
    for (const later of [undefined, [HOST, { ...TOKEN, secret: false }], [HOST]]) {
      const stored = storedOf({
        values: '{"token":"hunter2"}',
        secretNames: ['token'],
        ...(later && { schema: later }),
      });
      expect(replace(stored, {}).config).toBe('{"token":"********"}');
      expect(replace(stored, { token: MASK }).changes).toEqual([]);
      expect(replace(stored, { token: '' }).values).toBe('{}');
    }
    const unregistered = storedOf({ values: '{"token":"hunter2"}', secretNames: ['token'] });
    const { values, config } = replace(unregistered, { token: 'new' });
    expect([values, config]).toEqual(['{"token":"new"}', '{"token":"********"}']);
  });

  test('counts towards the size limit, even if it is kept', () => {
    const room = LIMIT - '{"host":"","token":"hunter2"}'.length;
    expect(utf8Length(replace(withToken, { host: 'x'.repeat(room) }).values)).toBe(LIMIT);
    expect(() => replace(withToken, { host: 'x'.repeat(room + 1) })).toThrow(rejection('too_large', null));
    expect(() => replace(without, { token: 'x'.repeat(LIMIT) })).toThrow(rejection('too_large', 'config'));
  });

  test('may be named like a built-in object property', () => {
    const stored = storedOf({ schema: [{ key: '__proto__', type: 'string', secret: true }] });
    const { values, config } = replace(stored, parsed('{"__proto__":"hunter2"}'));
    expect([values, config]).toEqual(['{"__proto__":"hunter2"}', '{"__proto__":"********"}']);
  });

  test('declared after its value was stored is masked, kept and removed like any other', () => {
    const stored = storedOf({ schema, values: '{"token":"hunter2","host":"a"}' });
    const kept = replace(stored, { host: 'b', token: MASK });
    expect([kept.values, kept.config, kept.replaced]).toEqual([
      '{"host":"b","token":"hunter2"}',
      '{"host":"b","token":"********"}',
      '{"token":"********","host":"a"}',
    ]);
    expect(kept.changes).toEqual([{ field: 'config.host', before: 'a', after: 'b' }]);
    expect(replace(stored, { token: '' }).changes).toContainEqual({
      field: 'config.token',
      before: MASK,
      after: null,
    });
  });

  test('never appears in the shown configuration, and keeps the last value sent', () => {
    const keys = ['a', 'b', '__proto__'];
    const value = fc.constantFrom<Json>('hunter-1', { deep: ['hunter-2'] }, MASK, '', null, 'hunter-3');
    const request = fc
      .array(fc.tuple(fc.constantFrom(...keys), value))
      .map((entries): JsonObject => Object.fromEntries(entries));
    fc.assert(
      fc.property(fc.array(request), fc.subarray(keys, { minLength: 1 }), (requests, secretKeys) => {
        const all = keys.map((key): ConfigField => ({
          key,
          type: 'json',
          secret: secretKeys.includes(key),
        }));
        const expected = new Map<string, Json>();
        let stored = storedOf({ schema: all });
        for (const sent of requests) {
          const newConfig = Object.fromEntries(
            Object.entries(sent).filter(([key]) => secretKeys.includes(key)),
          );
          const { values, config, replaced, changes } = replace(stored, newConfig);
          for (const [key, each] of Object.entries(newConfig)) {
            if (each === '') expected.delete(key);
            else if (each !== MASK) expected.set(key, each);
          }
          expect(JSON.stringify([config, replaced, changes])).not.toContain('hunter');
          expect(new Map(Object.entries(parsed(values)))).toEqual(expected);
          stored = storedOf({ schema: all, values });
        }
      }),
    );
  });
});

describe('a reference', () => {
  const schema: readonly ConfigField[] = [TOKEN, { key: 'pin', type: 'number', secret: true }];

  test('may replace a secret of any type, and is shown unmasked', () => {
    const { values, config, changes } = replace(storedOf({ schema }), { token: REFERENCE, pin: REFERENCE });
    expect([parsed(values), parsed(config)]).toEqual(
      [1, 2].map(() => ({ token: REFERENCE, pin: REFERENCE })),
    );
    expect(changes[0]).toEqual({ field: 'config.token', before: null, after: REFERENCE });
  });

  test('replaces a secret, and is replaced by one, without revealing it', () => {
    const secret = storedOf({ schema, values: '{"token":"hunter2"}' });
    const referring = replace(secret, { token: REFERENCE });
    expect(referring.changes).toEqual([{ field: 'config.token', before: MASK, after: REFERENCE }]);
    const again = replace(storedOf({ schema, values: referring.values }), { token: 'hunter2' });
    expect(again.changes).toEqual([{ field: 'config.token', before: REFERENCE, after: MASK }]);
    expect(again.config).toBe('{"token":"********"}');
  });

  test('does not count as changed when it is sent again, is kept when it is omitted, and is removed by an empty string', () => {
    const stored = storedOf({ schema, values: JSON.stringify({ token: REFERENCE }) });
    for (const newConfig of [{ token: REFERENCE }, { token: MASK }, {}]) {
      const { config, changes } = replace(stored, newConfig);
      expect([parsed(config), changes]).toEqual([{ token: REFERENCE }, []]);
    }
    expect(replace(stored, { token: '' }).values).toBe('{}');
  });

  test('of the wrong form is rejected in a secret field, and is an ordinary value elsewhere', () => {
    const withPlain: readonly ConfigField[] = [...schema, { key: 'plain', type: 'json' }];
    const wrong = { $ref: 'https://user:password@host' };
    expect(() => replace(storedOf({ schema: withPlain }), { token: wrong })).toThrow(
      rejection('invalid_input', 'token'),
    );
    expect(parsed(replace(storedOf({ schema: withPlain }), { plain: wrong }).config)).toEqual({
      plain: wrong,
    });
    expect(() => replace(storedOf({ schema }), { other: REFERENCE })).toThrow(
      rejection('invalid_input', 'other'),
    );
  });
});

describe('defaults', () => {
  const schema: readonly ConfigField[] = [
    { ...HOST, default: 'localhost', required: true },
    { key: 'retries', type: 'number', default: 0 },
    { key: 'on', type: 'boolean', default: false },
    { key: 'none', type: 'json', default: null },
    { key: 'path', type: 'string' },
    { ...TOKEN, required: true },
    { key: '__proto__', type: 'json', default: [1] },
  ];
  const secretDefaults = new Map([['token', 'hunter2']]);

  test('are shown where nothing is set, with secret ones masked', () => {
    const stored = storedOf({ schema, secretDefaults });
    const defaults = '"host":"localhost","retries":0,"on":false,"token":"********","__proto__":[1]';
    expect(showConfiguration('{}', stored)).toBe(`{${defaults}}`);
    expect(parsed(showConfiguration('{"retries":5,"path":"/"}', stored))).toEqual({
      ...parsed(`{${defaults}}`),
      retries: 5,
      path: '/',
    });
    expect(defaultsOf([HOST, TOKEN], new Map())).toEqual(new Map());
    expect(showConfiguration('{ }', storedOf({ schema: [HOST] }))).toBe('{ }');
  });

  test('are not stored by a change, and satisfy required fields', () => {
    const stored = storedOf({ schema, secretDefaults, values: '{"host":"a","token":"hunter3"}' });
    expect(replace(stored, { retries: 5, token: MASK }).values).toBe('{"retries":5,"token":"hunter3"}');
    const cleared = replace(stored, { token: '' });
    expect([cleared.values, cleared.changes]).toEqual([
      '{}',
      [
        { field: 'config.host', before: 'a', after: null },
        { field: 'config.token', before: MASK, after: null },
      ],
    ]);
    expect(() => replace(stored, { host: '' })).toThrow(rejection('blank', 'host'));
    expect(() => replace(storedOf({ schema }), {})).toThrow(rejection('required', 'token'));
  });
});

describe('masking', () => {
  const names = new Set(['token']);

  test.each([
    ['{"host":"a","token":"hunter2"}', '{"host":"a","token":"********"}'],
    ['{"token":{"a":1}}', '{"token":"********"}'],
    ['{"token":0}', '{"token":"********"}'],
    ['{"token":{"$ref":"env://TOKEN","a":1}}', '{"token":"********"}'],
    ['{"token":{"$ref":"not a URI"}}', '{"token":"********"}'],
  ])('%s is shown as %s', (values, shown) => {
    expect(showConfiguration(values, { secretNames: names, defaults: NO_VALUES })).toBe(shown);
  });

  test.each([
    '{}',
    '{"token":""}',
    '{"token":null}',
    '{"token":"********"}',
    '{"token":{"$ref":"env://TOKEN"}}',
    '{"host":"a","Token":"b"}',
  ])('%s is shown unmasked', (values) => {
    expect(showConfiguration(values, { secretNames: names, defaults: NO_VALUES })).toBe(values);
  });
});
