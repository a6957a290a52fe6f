import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InexactNumber, parseExactly, scanJson } from './exact-json.ts';

function valueOf(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    return error instanceof SyntaxError ? SyntaxError : error;
  }
}

/** The value as `JSON.parse` reads it. */
function rounded(value: unknown): unknown {
  if (value instanceof InexactNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, rounded(child)]));
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function depthOf(value: unknown): number {
  return isContainer(value) ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

/** The number of values, where an empty object or list counts twice. */
function valuesIn(value: unknown): number {
  if (!isContainer(value)) return 1;
  const children: unknown[] = Object.values(value);
  return children.length === 0 ? 2 : children.reduce((sum: number, child) => sum + valuesIn(child), 1);
}

function membersIn(value: unknown): number {
  if (!isContainer(value)) return 0;
  const children: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : children.length;
  return children.reduce((sum: number, child) => sum + membersIn(child), own);
}

const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t', '\r\n '))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

test('reads any JSON like JSON.parse', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(parseExactly(text)).toEqual(JSON.parse(text));
      expect(parseExactly(text, { uniqueKeys: true })).toEqual(JSON.parse(text));
    }),
    { numRuns: 1_000 },
  );
});

test('a scan counts values, members and levels', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const value: unknown = JSON.parse(text);
      const counts = { values: valuesIn(value), members: membersIn(value), depth: depthOf(value) };
      expect(scanJson(text)).toMatchObject(counts);
    }),
    { numRuns: 1_000 },
  );
});

test('agrees with JSON.parse on whether corrupted text is JSON', () => {
  const change = fc.record({
    at: fc.nat(),
    removed: fc.nat({ max: 2 }),
    added: fc.constantFrom('', ...' ,:[]{}"\\-+.0e1tfn\n\u0001'.split('')),
  });
  fc.assert(
    fc.property(texts, change, (text, { at, removed, added }) => {
      const position = at % (text.length + 1);
      const wrong = text.slice(0, position) + added + text.slice(position + removed);
      expect(valueOf(() => rounded(parseExactly(wrong)))).toEqual(valueOf(() => JSON.parse(wrong)));
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  '{"a":1,"a":2}',
  '{"a":1,\n  "b": [{"x":1}, {"x":1,\n "x":2}]}',
  String.raw`{"a":1,"\u0061":2}`,
  '{"__proto__":1,"__proto__":2}',
  '{"a":12345678901234567890,"a":2}',
])('%j is rejected when keys must be unique', (text) => {
  expect(() => parseExactly(text, { uniqueKeys: true })).toThrow('an object has the same key more than once');
});

test('numbers that would lose precision keep their digits', () => {
  const text = '[1e400, 0.1, 12345678901234567890, 1e21]';
  const value = [new InexactNumber('1e400'), 0.1, new InexactNumber('12345678901234567890'), 1e21];
  expect(parseExactly(text)).toEqual(value);
  expect(parseExactly(`[${'1'.repeat(2_000_000)}]`)).toEqual([new InexactNumber('1'.repeat(2_000_000))]);
  expect(parseExactly('9007199254740993')).toBe(2 ** 53);
});

test('the number of values is limited, before anything is parsed', () => {
  expect(parseExactly('[[1],[2]]', { maxValues: 5 })).toEqual([[1], [2]]);
  const tooLarge = expect.objectContaining({ code: 'too_large' });
  expect(() => parseExactly('[[1],[2]] no JSON', { maxValues: 4 })).toThrow(tooLarge);
});

test('deep nesting is limited, with or without an inexact number', () => {
  const nested = (levels: number, inner: string) => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;
  for (const inner of ['', '1', '1e400']) {
    expect(parseExactly(nested(500, inner))).toHaveLength(1);
    expect(() => parseExactly(nested(200_000, inner))).toThrow(
      new SyntaxError('the JSON is nested deeper than 500 levels'),
    );
  }
});
