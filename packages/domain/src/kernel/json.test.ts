import { expect, test } from 'vitest';
import { checkJson, VALUES_MAX, type Json } from './json.ts';

test('values may be nested 64 levels deep, in lists and objects alike', () => {
  expect(() => checkJson(lists(64), 'config')).not.toThrow();
  expect(() => checkJson(objects(64), 'config')).not.toThrow();
  expect(() => checkJson([lists(63), { a: objects(62), b: 'text' }], 'config')).not.toThrow();
});

test('deeper nesting is rejected', () => {
  for (const value of [lists(65), objects(65), [1, lists(64)], lists(10_000)]) {
    expect(() => checkJson(value, 'config')).toThrow(
      expect.objectContaining({ code: 'invalid_input', attr: 'config' }),
    );
  }
});

test.each(['a\0b', '\ud800', { '\udc00': 1 }, { a: ['\0'] }])(
  'text that the database cannot store is rejected: %j',
  (value) => {
    expect(() => checkJson({ value }, 'config')).toThrow(
      expect.objectContaining({ code: 'invalid_input', attr: 'config' }),
    );
  },
);

const tooLarge = expect.objectContaining({ code: 'too_large', attr: 'config' });

test('a value has at most five thousand values, including itself', () => {
  const list = (length: number): Json => Array.from({ length }, () => 1);
  const object = (length: number): Json =>
    Object.fromEntries(Array.from({ length }, (_, i) => [String(i), i]));
  for (const made of [list, object]) {
    expect(() => checkJson(made(VALUES_MAX - 1), 'config')).not.toThrow();
    expect(() => checkJson(made(VALUES_MAX), 'config')).toThrow(tooLarge);
    expect(() => checkJson([made(VALUES_MAX / 2 - 2), { a: made(VALUES_MAX / 2) }], 'config')).toThrow(
      tooLarge,
    );
  }
});

test('the check stops at the first value or byte over the limit', () => {
  const never = {
    get a(): Json {
      throw new Error('This value must not be read.');
    },
  };
  const list: readonly Json[] = Array.from({ length: 10_000 }, () => 1);
  expect(() => checkJson([...list, never], 'config')).toThrow(tooLarge);
  expect(() => checkJson(['x'.repeat(100), never], 'config', 99)).toThrow(tooLarge);
  expect(() => checkJson([{ ['x'.repeat(100)]: 1 }, never], 'config', 99)).toThrow(tooLarge);
});

test.each([1, null, true, '', 'x', [], {}, [1, 2, 3], { a: 'b', c: [{}] }])(
  'a value whose compact JSON fits is accepted: %j',
  (value) => {
    expect(() => checkJson(value, 'config', JSON.stringify(value).length)).not.toThrow();
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
