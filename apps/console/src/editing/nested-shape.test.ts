import type { Json, JsonObject } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyItem,
  hasProblem,
  inputText,
  inputValue,
  newItem,
  shapeOf,
  textOf,
  textsOf,
  treeIn,
  withoutReferences,
  withPart,
  type Tree,
} from './nested-shape.ts';

const leaf = (type: string, more: object = {}) => ({ kind: 'leaf', leaf: { type, ...more } });
const AS_JSON = leaf('json');

test.for<[JsonObject, object]>([
  [{ type: 'string' }, leaf('string', { isTime: false })],
  [{ type: 'string', format: 'date-time' }, leaf('string', { isTime: true })],
  [{ type: 'integer' }, leaf('number')],
  [{ type: 'boolean' }, leaf('boolean')],
  [{ enum: ['a', 1] }, leaf('choice', { choices: ['a', 1], choiceLabels: [] })],
  [{ const: 'a' }, leaf('choice', { choices: ['a'], choiceLabels: [] })],
  [
    { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    leaf('choice', { choices: ['a', 'b'], choiceLabels: ['A', undefined] }),
  ],
  [
    { type: 'array', items: { type: 'string' }, minItems: 1 },
    { kind: 'list', item: { type: 'string' }, min: 1, max: Infinity },
  ],
  [
    { type: 'object', properties: { a: { type: 'string' }, b: true }, required: ['a'] },
    {
      kind: 'object',
      parts: [
        { key: 'a', required: true, schema: { type: 'string' } },
        { key: 'b', required: false, schema: {} },
      ],
    },
  ],
])('%j has its input', ([schema, shape]) => {
  expect(shapeOf(schema)).toEqual(shape);
});

test.for<[JsonObject, Tree?]>([
  [{}],
  [{ type: 'object' }],
  [{ type: 'array' }],
  [{ type: ['string', 'null'] }],
  [{ enum: ['a', null] }],
  [{ properties: { a: {} }, allOf: [{ required: ['a'] }] }],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }],
  [{ oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'a' } } }] }],
  [{ type: 'string' }, 1],
  [{ type: 'string', format: 'date-time' }, 'soon'],
  [{ type: 'number' }, [1]],
  [{ type: 'boolean' }, null],
  [{ enum: ['a'] }, { a: 1 }],
  [{ type: 'array', items: {} }, {}],
  [{ properties: { a: {} } }, []],
])('%j is edited as JSON', ([schema, value]) => {
  expect(shapeOf(schema, value)).toEqual(AS_JSON);
});

const AUTH: JsonObject = {
  properties: { realm: { type: 'string' } },
  oneOf: [
    {
      title: 'No sign-in',
      properties: { kind: { const: 'none', title: 'Kind' } },
    },
    {
      properties: {
        kind: { const: 'basic' },
        user: { type: 'string' },
        port: { type: 'integer', default: 80 },
      },
      required: ['kind', 'user'],
    },
  ],
};

test('objects that a constant tells apart have the properties of the chosen one', () => {
  const keysOf = (value?: Tree) => {
    const shape = shapeOf(AUTH, value);
    return shape.kind === 'object' && shape.parts.map(({ key }) => key);
  };
  expect(keysOf()).toEqual(['kind', 'realm']);
  expect(keysOf({ kind: 'basic', user: 'a' })).toEqual(['kind', 'realm', 'user', 'port']);
  expect(keysOf({ kind: 'gone' })).toEqual(['kind', 'realm']);
  const shape = shapeOf(AUTH);
  const [kind] = shape.kind === 'object' ? shape.parts : [];
  expect(shapeOf(kind?.schema ?? {})).toEqual(
    leaf('choice', { choices: ['none', 'basic'], choiceLabels: ['No sign-in', undefined] }),
  );
  expect(textsOf(kind?.schema ?? {}, 'kind')).toEqual({ label: 'Kind' });
});

test('another constant removes what only the former object had, and begins with defaults', () => {
  const none = { kind: 'none', realm: 'r', unknown: 1 };
  const basic = withPart(AUTH, none, 'kind', 'basic');
  expect(basic).toEqual({ ...none, kind: 'basic', port: 80 });
  expect(withPart(AUTH, { ...basic, user: 'a' }, 'kind', 'none')).toEqual(none);
  expect(withPart(AUTH, basic, 'realm', undefined)).toEqual({ kind: 'basic', unknown: 1, port: 80 });
});

test('references are replaced by what they lead to', () => {
  const schema = {
    $defs: { 'a/b': { $ref: '#/$defs/c', title: 'B' }, c: { type: 'string', title: 'C' } },
    properties: { one: { $ref: '#/$defs/a~1b' }, two: { items: { $ref: '#/properties/one' } } },
  };
  const b = { type: 'string', title: 'B' };
  expect(withoutReferences(schema)).toEqual({ properties: { one: b, two: { items: b } } });
});

test.for<[JsonObject, Tree]>([
  [{ type: 'string' }, ''],
  [{ type: 'boolean' }, false],
  [{ enum: ['eu', 'us'] }, 'eu'],
  [{ type: 'array', items: {} }, []],
  [{ type: 'integer', default: 3 }, 3],
  [
    { properties: { a: { const: 1 }, b: { type: 'string' }, c: { default: 2 } }, required: ['a', 'b'] },
    { a: 1, c: 2 },
  ],
])('a new item of %j is %j', ([schema, item]) => {
  expect(newItem(schema)).toEqual(item);
});

test('a new number has to be entered', () => {
  expect(hasProblem([emptyItem({ type: 'number' })])).toBe(true);
});

test('a value is written as JSON, and read back', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const value = JSON.parse(JSON.stringify(given)) as Json;
      expect(textOf(value)).toBe(JSON.stringify(value, null, 2));
      expect(treeIn(textOf(value))).toEqual(value);
    }),
  );
});

test.for([
  ['12', '12', undefined],
  ['1.0', '1', undefined],
  ['007', '7', undefined],
  ['1.', '(1.)', 'Enter a number.'],
  ['1, "b": 2', '(1, "b": 2)', 'Enter a number.'],
  ['9007199254740993', '(9007199254740993)', 'This number has too many digits to be stored exactly.'],
] as const)('a number keeps its text %s while it is typed', ([text, json, problem]) => {
  const value = inputValue(text, 'number');
  expect(inputText(value, 'number')).toBe(text);
  const tree = { a: value ?? null };
  expect(textOf(tree)).toBe(`{\n  "a": ${json}\n}`);
  expect(hasProblem(tree)).toBe(problem !== undefined);
  expect(hasProblem(treeIn(textOf(tree)))).toBe(problem !== undefined);
});

test('JSON keeps its text, and does not become valid by what is around it', () => {
  for (const text of ['{ "b" :1}', '1, "c": 2', '{']) {
    const tree = { a: inputValue(text, 'json') ?? null };
    expect(inputText(tree.a, 'json')).toBe(text);
    expect(hasProblem(treeIn(textOf(tree)))).toBe(text !== '{ "b" :1}');
  }
});

test('an empty input has no value, and others that of their text', () => {
  for (const type of ['string', 'number', 'boolean', 'choice', 'json'] as const)
    expect(inputValue('', type)).toBeUndefined();
  expect(inputValue(inputText(true, 'boolean'), 'boolean')).toBe(true);
  expect(inputValue(inputText('a', 'choice'), 'choice')).toBe('a');
  expect(inputValue(inputText(' a ', 'string'), 'string')).toBe(' a ');
});
