import { describe, expect, test } from 'vitest';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { ConfigField } from './config-field.ts';
import { utf8Length } from '../kernel/text.ts';
import { HOST, LIMIT, parsed, rejection, replace, storedOf, TOKEN } from './configuration.fixture.ts';
import { MASK } from './configuration.ts';

describe('without a schema', () => {
  test('any object replaces the stored configuration', () => {
    const stored = storedOf({ values: '{"a":1,"b":2}' });
    expect(replace(stored, { c: [null], b: 2 }).config).toBe('{"c":[null],"b":2}');
  });

  test('changes are described key by key, with null for a missing value', () => {
    const stored = storedOf({ values: '{"gone":1,"kept":{"a":1},"other":"x"}' });
    expect(replace(stored, { kept: { a: 1 }, other: 'y', new: [1] }).changes).toEqual([
      { field: 'config.gone', before: 1, after: null },
      { field: 'config.other', before: 'x', after: 'y' },
      { field: 'config.new', before: null, after: [1] },
    ]);
  });

  test('the same values are not a change, in any key order', () => {
    expect(replace(storedOf({ values: '{"a":1,"b":[]}' }), { b: [], a: 1 }).changes).toEqual([]);
  });

  test('the names of built-in properties are ordinary keys', () => {
    const newConfig = parsed('{"__proto__":{"a":1},"constructor":"b","toString":null,"hasOwnProperty":1}');
    const { config, changes } = replace(storedOf({}), newConfig);
    expect(config).toBe('{"__proto__":{"a":1},"constructor":"b","toString":null,"hasOwnProperty":1}');
    expect(changes.map(({ field }) => field)).toEqual([
      'config.__proto__',
      'config.constructor',
      'config.toString',
      'config.hasOwnProperty',
    ]);
    expect(replace(storedOf({ values: config }), newConfig).changes).toEqual([]);
  });

  test('null characters and lone surrogates are rejected everywhere', () => {
    for (const newConfig of [{ a: '\0' }, { a: ['\ud800'] }, { '\0': 1 }])
      expect(() => replace(storedOf({}), newConfig)).toThrow(rejection('invalid_input', 'config'));
  });

  test('without a secret, the mask is an ordinary string', () => {
    expect(replace(storedOf({}), { a: MASK }).config).toBe(`{"a":"${MASK}"}`);
  });

  test('long values are truncated in the history, at a character boundary', () => {
    const text = '🚀'.repeat(2000);
    const [change] = replace(storedOf({}), { text }).changes;
    expect(change?.after).toMatch(/^"🚀{499}\ufffd… \(3002 more characters\)$/u);
  });

  test('a value nested too deeply is rejected', () => {
    let deep: Json = 1;
    for (let i = 0; i < 64; i++) deep = [deep];
    expect(() => replace(storedOf({}), { deep })).toThrow(rejection('invalid_input', 'config'));
  });

  for (const letter of ['x', 'ä', '漢', '🚀', '"', '\n', '\u0007']) {
    test(`the size is that of compact JSON in bytes, for ${JSON.stringify(letter)}`, () => {
      const each = utf8Length(JSON.stringify(letter)) - 2;
      const room = LIMIT - '{"text":""}'.length;
      const fitting = letter.repeat(Math.floor(room / each)) + 'x'.repeat(room % each);
      expect(utf8Length(replace(storedOf({}), { text: fitting }).config)).toBe(LIMIT);
      expect(() => replace(storedOf({}), { text: `${fitting}x` })).toThrow(rejection('too_large', null));
    });
  }
});

describe('with a schema', () => {
  const schema: readonly ConfigField[] = [
    { ...HOST, required: true },
    { key: 'mode', type: 'choice', choices: ['a', 'b'] },
    { key: 'constructor', type: 'json' },
    TOKEN,
    { key: 'server', type: 'json', schema: { type: 'object' } },
    { key: 'keys', type: 'json', secret: true, schema: { type: 'object' } },
  ];

  test('a valid configuration is stored', () => {
    const newConfig = { host: 'a', mode: 'b', constructor: [1] };
    expect(replace(storedOf({ schema }), newConfig).config).toBe('{"host":"a","mode":"b","constructor":[1]}');
  });

  test.each<[what: string, newConfig: JsonObject, code: string, attr: string]>([
    ['an unknown field', { host: 'a', port: 1 }, 'invalid_input', 'port'],
    [
      'the name of a built-in property of objects',
      parsed('{"host":"a","__proto__":1}'),
      'invalid_input',
      '__proto__',
    ],
    ['a value of another type', { host: 1 }, 'invalid_input', 'host'],
    ['null for a string', { host: null }, 'null', 'host'],
    ['an unknown choice', { host: 'a', mode: 'c' }, 'invalid_input', 'mode'],
    ['a missing required field', {}, 'required', 'host'],
    ['an empty string for a required field', { host: '' }, 'blank', 'host'],
    ['a secret of another type', { host: 'a', token: 5 }, 'invalid_input', 'token'],
    ['a value that its JSON Schema rejects', { host: 'a', server: 5 }, 'invalid_input', 'server.port'],
    [
      'a secret that its JSON Schema rejects, without a path into it,',
      { host: 'a', keys: 5 },
      'invalid_input',
      'keys',
    ],
  ])('%s is rejected', (_, newConfig, code, attr) => {
    expect(() => replace(storedOf({ schema }), newConfig)).toThrow(rejection(code, attr));
  });

  test('the rejection lists the known keys', () => {
    expect(() => replace(storedOf({ schema: [HOST] }), { port: 1 })).toThrow('Its fields: "host".');
  });

  test('an omitted value is removed, without falling back to its default', () => {
    const stored = storedOf({
      schema: [HOST, { key: 'port', type: 'number', default: 1 }],
      values: '{"host":"a","port":2}',
    });
    expect(replace(stored, { host: 'b' }).config).toBe('{"host":"b"}');
  });
});

describe('all validation errors', () => {
  const configSchema: readonly ConfigField[] = [
    { key: 'token', type: 'string', secret: true, required: true },
    { key: 'city', type: 'string', required: true },
    { key: 'count', type: 'number' },
  ];
  const errorsOf = (
    newConfig: JsonObject,
    schema = configSchema,
  ): readonly (readonly [string | null, string])[] => {
    try {
      replace(storedOf({ schema }), newConfig);
    } catch (error) {
      if (error instanceof DomainError) return (error.errors ?? []).map(({ attr, code }) => [attr, code]);
    }
    return [];
  };

  test('are reported together, each at its field', () => {
    expect(errorsOf({ token: '', city: '', count: 'three', other: 1 })).toEqual([
      ['count', 'invalid_input'],
      ['other', 'invalid_input'],
      ['token', 'required'],
      ['city', 'blank'],
    ]);
    expect(errorsOf({ token: 'a', city: 'b', count: 3 })).toEqual([]);
  });

  test('are limited to a hundred errors and 16 Ki characters', () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field ${i}`, 1]));
    expect(errorsOf(many).length).toBe(100);
    const longNames = Array.from({ length: 400 }, (_, i) => ({
      key: 'x'.repeat(190) + i,
      type: 'string' as const,
    }));
    expect(errorsOf(many, longNames).length).toBe(1);
  });
});
