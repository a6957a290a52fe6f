import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InexactNumber, MEMBERS_MAX, parseExactly, readJson } from './exact-json.ts';

type Options = Parameters<typeof readJson>[1];

function read(text: string, options?: Options): unknown {
  const reading = readJson(text, options);
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
  }
}

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

const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t', '\r\n '))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

test('reads any JSON like JSON.parse', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
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
      expect(valueOf(() => rounded(read(wrong)))).toEqual(valueOf(() => JSON.parse(wrong)));
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  '',
  ' ',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1,}',
  '{"a" 1}',
  '{a:1}',
  "{'a':1}",
  '[1}',
  '{"a":1]',
  '[1]]',
  '01',
  '1.',
  '.5',
  '+1',
  '-',
  '1e',
  'nul',
  'NaN',
  '"a',
  String.raw`"\x"`,
  '"a\nb"',
  '\u00a01',
])('%j is not JSON', (text) => {
  expect(() => read(text)).toThrow(SyntaxError);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
});

test('a syntax error names its line and column', () => {
  expect(() => read('{"a": 1,\n  "b": ]}')).toThrow('unexpected "]" (line 2, column 8)');
  expect(() => read('["a", "b')).toThrow('the text ends too early');
});

test('the last value of a duplicate key wins, as in JSON.parse, even for __proto__', () => {
  const text = '{"a":1,"__proto__":{"b":1},"a":2}';
  expect(read(text)).toEqual(JSON.parse(text));
  expect(Object.keys(read(text) as object)).toEqual(['a', '__proto__']);
});

test.each([
  ['{"a":1,"a":2}', 'the key "a" occurs twice in its object (line 1, column 8)'],
  [
    '{"a":1,\n  "b": [{"x":1}, {"x":1,\n "x":2}]}',
    'the key "x" occurs twice in its object (line 3, column 2)',
  ],
  [String.raw`{"a":1,"\u0061":2}`, 'the key "a" occurs twice in its object (line 1, column 8)'],
  ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" occurs twice in its object (line 1, column 16)'],
])('%j is rejected when keys must be unique', (text, message) => {
  expect(() => read(text, { uniqueKeys: true })).toThrow(message);
});

test('JSON.stringify output never has duplicate keys', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(text, { uniqueKeys: true })).toEqual(JSON.parse(text));
    }),
  );
});

test('numbers that would lose precision keep their digits', () => {
  const text = '[1e400, 0.1, 12345678901234567890, 1e21]';
  const value = [new InexactNumber('1e400'), 0.1, new InexactNumber('12345678901234567890'), 1e21];
  expect([read(text), parseExactly(text)]).toEqual([value, value]);
  expect(read('1'.repeat(2_000_000))).toBeInstanceOf(InexactNumber);
});

test('members and values are limited, and reading stops at the first one too many', () => {
  const list = (length: number): string => `[${Array.from({ length }, () => 1).join(',')}`;
  const tooLarge = expect.objectContaining({ code: 'too_large' });
  expect(read(`${list(MEMBERS_MAX)}]`)).toHaveLength(MEMBERS_MAX);
  expect(() => read(`${list(MEMBERS_MAX + 1)}, no JSON`)).toThrow(tooLarge);
  expect(() =>
    read(
      `{${list(MEMBERS_MAX + 1)
        .slice(1)
        .replaceAll('1', () => '"a":1')}}`,
    ),
  ).toThrow(tooLarge);
  expect(read('[[1],[2]]', { maxValues: 5 })).toEqual([[1], [2]]);
  expect(() => read('[[1],[2]]', { maxValues: 4 })).toThrow(tooLarge);
});

test('a large text is read in many steps', () => {
  const lists = Array.from({ length: 100 }, () => Array.from({ length: 1_000 }, () => 1));
  expect([...readJson(JSON.stringify(lists))].length).toBeGreaterThan(100);
});

test('deep nesting does not use the stack', () => {
  expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toHaveLength(1);
});

test('objects and lists can be reduced as soon as they are read, and their values no longer count', () => {
  const text = `{"a":[${Array.from({ length: 100 }, (_, i) => `{"b": [${i}]}`).join(',')}]}`;
  const reduce = (value: object, at: { open: readonly { key: string }[]; text: () => string }) =>
    at.open.map(({ key }) => key).join('/') === 'a/' ? at.text() : value;
  expect(read(text, { maxValues: 105, reduce })).toEqual({
    a: Array.from({ length: 100 }, (_, i) => `{"b": [${i}]}`),
  });
  expect(() => read(text, { maxValues: 105 })).toThrow('The JSON may have no more than 105 values.');
});

test('the maximum number of members can be set', () => {
  expect(() => read('[1,2,3]', { maxMembers: 2 })).toThrow(
    'An object or a list may have no more than 2 members.',
  );
});

test('a string that is too long to be parsed is truncated, and reading continues', () => {
  const long = String.raw`\"`.repeat(1000);
  expect(read(`["${long}", "short", 1]`, { maxString: 10 })).toEqual([`"${long}`.slice(0, 10), 'short', 1]);
});
