import { expect, test } from 'vitest';
import { checkJson, type Json } from './json.ts';

test('values may be nested 64 levels deep, in lists and objects alike', () => {
  expect(() => checkJson(lists(64), 'config')).not.toThrow();
  expect(() => checkJson(objects(64), 'config')).not.toThrow();
  expect(() => checkJson([lists(63), { a: objects(62), b: 'text' }], 'config')).not.toThrow();
});

test('values that are nested deeper are refused', () => {
  for (const value of [lists(65), objects(65), [1, lists(64)], lists(10_000)]) {
    expect(() => checkJson(value, 'config')).toThrow(
      expect.objectContaining({ code: 'invalid_input', attr: 'config' }),
    );
  }
});

test.each(['a\0b', '\ud800', { '\udc00': 1 }, { a: ['\0'] }])(
  'what the database could not read is refused: %j',
  (value) => {
    expect(() => checkJson({ value }, 'config')).toThrow(
      expect.objectContaining({ code: 'invalid_input', attr: 'config' }),
    );
  },
);

function lists(levels: number): Json {
  let value: Json = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

function objects(levels: number): Json {
  let value: Json = null;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}
