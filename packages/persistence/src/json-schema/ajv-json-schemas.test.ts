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

const ITEMS = Array.from({ length: 5000 }, (_, a) => ({ a, b: { c: [a] } }));

test.each<[string, readonly Json[], readonly string[]]>([
  ['differ', ITEMS, []],
  [
    'are the same',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['This must NOT have duplicate items.'],
  ],
  ['have other types', [1, '1', null, 'null', [1], ['1']], []],
])('unique items are compared in linear time if they %s', (_, items, expected) => {
  // Five comparisons would be beyond the time limit if each were compared with all others.
  const schema = {
    allOf: Array.from({ length: 5 }, (__, title) => ({ uniqueItems: true, title: `${title}` })),
  };
  const errors = jsonSchemas.errors(items === ITEMS ? schema : { uniqueItems: true }, [...items], 'list');
  expect(errors.map(({ message }) => message)).toEqual(expected);
});

/** Doubles the work with each level. */
const DOUBLING: JsonObject = {
  $ref: '#/$defs/0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/${level + 1}` };
      return [level, level < 39 ? { allOf: [next, next] } : { type: 'object' }];
    }),
  ),
};

test.each<[string, JsonObject, Json]>([
  ['doubles', DOUBLING, 1],
  ['refers to itself', { $ref: '#' }, 1],
])('a value is rejected in time if its schema %s', (_, schema, value) => {
  const errors = jsonSchemas.errors(schema, value, 'server');
  expect(errors.map(({ message }) => message)).toEqual([
    'The JSON Schema cannot judge this value: it takes too long, or recurs too deep.',
  ]);
});

test.each<[string, JsonObject]>([
  [
    'Script execution timed out',
    {
      patternProperties: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`(?:.?){999}${n}`, {}])),
    },
  ],
  ['data/type must be equal to one of the allowed values', { type: 'nothing' }],
  ['It may have no "$async".', { $async: true }],
  ["can't resolve reference https://example.com/a", { $ref: 'https://example.com/a' }],
  ['invalid or unsupported Perl syntax', { properties: { a: { pattern: '(?=a)' } } }],
  ['invalid named capture', { patternProperties: { '(?<!a)': {} } }],
  ['It has more than 64 KiB.', { title: 'é'.repeat(40_000) }],
])('a schema is rejected: %s', (reason, schema) => {
  const rejected = { attr: 'config_schema', subject: 'The "schema" of "server"' };
  expect(() => jsonSchemas.check(schema, rejected)).toThrow(reason);
});
