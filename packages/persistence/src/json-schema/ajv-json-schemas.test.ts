import type { Json, JsonObject } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { jsonSchemas } from './ajv-json-schemas.ts';

const SERVER: JsonObject = {
  type: 'object',
  properties: {
    port: { type: 'integer' },
    'a/b~': { enum: ['x', 1] },
    hosts: { type: 'array', items: { type: 'string', pattern: '^[a-z.]+$' } },
  },
  required: ['port'],
  additionalProperties: false,
};

test.each<[Json, readonly (readonly [string, string])[]]>([
  [{ port: 1, 'a/b~': 1, hosts: ['a.example'] }, []],
  [5, [['server', 'This must be object.']]],
  [{}, [['server.port', 'This field is required.']]],
  [{ port: 1.5 }, [['server.port', 'This must be integer.']]],
  [{ port: 1, 'a/b~': 2 }, [['server.a/b~', 'This must be equal to one of the allowed values: ["x",1].']]],
  [{ port: 1, hosts: ['a', 'B'] }, [['server.hosts.1', 'This must match pattern "^[a-z.]+$".']]],
  [{ port: 1, prot: 1 }, [['server', 'This must NOT have additional properties: "prot".']]],
])('%j has errors with their paths: %j', (value, expected) => {
  const errors = jsonSchemas.errors(SERVER, value, 'server');
  expect(errors.map(({ attr, message }) => [attr, message])).toEqual(expected);
});

test('a pattern takes linear time', () => {
  expect(jsonSchemas.errors({ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}!`, 'a')).toHaveLength(1);
});

test.each<[string, Json]>([
  ['characters', 'a'.repeat(100_000)],
  ['parts', Array.from({ length: 1000 }, () => 1)],
])('a value with too many %s for its schema is rejected', (_, value) => {
  const examples = Array.from({ length: 1000 }, (__, n) => n);
  expect(jsonSchemas.errors({}, value, 'a')).toEqual([]);
  expect(jsonSchemas.errors({ examples }, value, 'a').map(({ message }) => message)).toEqual([
    'This is too large for its JSON Schema.',
  ]);
});

test.each([
  ['(?<host>.+):(?<port>\\d+)', 'a:b:5432', { host: 'a:b', port: '5432' }],
  ['(?<host>[^:]+):(?<port>\\d+)', 'a:b:5432', null],
  ['(?<scheme>https?)://(?<host>[\\w.-]+)/?', 'https://a-b.test/', { scheme: 'https', host: 'a-b.test' }],
  ['(?<first>.)(?<rest>.*)', '😀\nx', { first: '😀', rest: '\nx' }],
  ['(?<a>x)|(?<b>y)', 'y', { a: '', b: 'y' }],
  ['(?<a>(x+)+)y', 'x'.repeat(10_000), null],
])('the pattern %s splits %j', (source, text, expected) => {
  const groups = jsonSchemas.pattern(source, 'migrations').split(text);
  expect(groups && Object.fromEntries(groups)).toEqual(expected);
});

test.each([
  ['invalid or unsupported Perl syntax', '(?<a>x(?=y))'],
  ['invalid escape sequence', '(?<a>x)\\1'],
  ['duplicate capture group name', '(?<a>x)(?<a>y)'],
  ['invalid repeat count', '(?<a>(x{100}){100})'],
  ['It is too large', '(?<a>.{999})'],
  ['A pattern has more than 300 characters', `(?<a>${'x'.repeat(300)})`],
])('a pattern is rejected: %s', (reason, source) => {
  expect(() => jsonSchemas.pattern(source, 'migrations')).toThrow(
    expect.objectContaining({ attr: 'migrations', message: expect.stringContaining(reason) }),
  );
});

test.each<[string, readonly Json[], readonly string[]]>([
  [
    'are the same',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['This must NOT have duplicate items.'],
  ],
  ['have other types', [1, '1', null, 'null', [1], ['1']], []],
])('unique items are compared by their values if they %s', (_, items, expected) => {
  const errors = jsonSchemas.errors({ uniqueItems: true }, [...items], 'list');
  expect(errors.map(({ message }) => message)).toEqual(expected);
});

/** Doubles its parts with each level. */
const doubling = (levels: number): JsonObject => ({
  $ref: '#/$defs/0',
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, level) => {
      const next = { $ref: `#/$defs/${level + 1}` };
      return [level, level < levels - 1 ? { allOf: [next, next] } : { type: 'object' }];
    }),
  ),
});

test('parts of a schema can be used several times', () => {
  const errors = jsonSchemas.errors(doubling(5), 1, 'server');
  expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['This must be object.']));
});

test.each<[string, JsonObject]>([
  ['It has too many parts', doubling(40)],
  ['or too large patterns', { patternProperties: { '(?:.?){999}': {}, '(?:.+){999}': {} } }],
  ['A pattern has more than 300 characters', { pattern: 'a'.repeat(301) }],
  ['It may not refer to itself', { properties: { children: { items: { $ref: '#' } } } }],
  ['It may have no "$dynamicRef"', { $dynamicRef: '#a' }],
  ['It cannot refer to "#/$defs/none"', { $ref: '#/$defs/none' }],
  ['data/type must be equal to one of the allowed values', { type: 'nothing' }],
  ['It may have no "$async".', { $async: true }],
  ['It cannot refer to "https://example.com/a"', { $ref: 'https://example.com/a' }],
  ['invalid or unsupported Perl syntax', { properties: { a: { pattern: '(?=a)' } } }],
  ['invalid named capture', { patternProperties: { '(?<!a)': {} } }],
  ['It has more than 64 KiB.', { title: 'é'.repeat(40_000) }],
])('a schema is rejected: %s', (reason, schema) => {
  const rejected = { attr: 'config_schema', subject: 'The "schema" of "server"' };
  expect(() => jsonSchemas.check(schema, rejected)).toThrow(reason);
});
