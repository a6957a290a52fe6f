import { expect, test } from 'vitest';
import { MisreadText } from './misread-text.ts';
import { yamlInThread, yamlThreads, YamlTooCostly } from './yaml-in-thread.ts';

const { read, write, places } = yamlInThread;

test('what is written is read again', async () => {
  const document = { format: 1, 'a.b': ['yes', '1', 1.5, null, '', ' x\n# y'], __proto__x: { on: 'off' } };
  expect(JSON.parse(await read(await write(JSON.stringify(document))))).toEqual(document);
});

test('a value is found at its line and column, or the closest value around it', async () => {
  const text = 'a:\n  - b: 1\n    c.d: 2\n';
  expect(await places(text, ['a[0].c.d', 'a[0].b', 'a[7]', 'z'])).toEqual([
    { line: 3, column: 5 },
    { line: 2, column: 5 },
    { line: 1, column: 1 },
    { line: 1, column: 1 },
  ]);
});

const DEEP = 20_000;

test.for([
  ['aliases that would expand a thousandfold', 'a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n', /Aliases/],
  ['one alias', 'a: 1\nb: *a\n', /Unresolved alias|Aliases/],
  ['a tag', 'a: !!binary AAAA\n', /Tags/],
  ['a tag of its own', 'a: !run x\n', /Unresolved tag/],
  ['a repeated key', 'a:\n  b: 1\n  b: 2\n', /^Map keys must be unique\.$/],
  ['a repeated key in another form', '{"a": 1, a: 2}', /^Map keys must be unique\.$/],
  ['a key that is no text', '? [a]\n: 1\n', /keys/],
  ['a second document', 'a: 1\n---\na: 1\n', /multiple documents/],
  ['deeply nested lists', '['.repeat(DEEP) + ']'.repeat(DEEP), /^It is nested too deeply\.$/],
  ['deeply nested maps', `${'{a: '.repeat(DEEP)}1${'}'.repeat(DEEP)}`, /^It is nested too deeply\.$/],
  ['deeply nested items', `${'- '.repeat(DEEP)}1`, /^It is nested too deeply\.$/],
  ['no end', '"a', /Missing closing/],
] as const)('%s: refused, with a place', async ([, text, reason]) => {
  const refused = await read(text).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(MisreadText);
  expect(refused).toMatchObject({
    message: expect.stringMatching(reason),
    place: { line: expect.any(Number), column: expect.any(Number) },
  });
});

test('a map with many keys is read in a time that grows with it', async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n');
  expect(Object.keys(JSON.parse(await read(text)) as object)).toHaveLength(60_000);
});

/** Takes the parser a second. */
const LONG = '- [a, b, c]\n'.repeat(80_000);

test('a text is given up when its reader does not wait any more, and the next text is read', async () => {
  const reader = new AbortController();
  const reading = read(LONG, reader.signal);
  reader.abort(new Error('gone'));
  await expect(reading).rejects.toThrow('gone');
  await expect(read(LONG, reader.signal)).rejects.toThrow('gone');
  expect(await read('a: 1')).toBe('{"a":1}');
});

test.for([
  ['time', { cpuMs: 1, memoryMib: 256 }],
  ['memory', { cpuMs: 60_000, memoryMib: 24 }],
] as const)('what takes too much %s is given up, and the next text is read', async ([, limits]) => {
  await expect(yamlThreads(limits).read(LONG)).rejects.toBeInstanceOf(YamlTooCostly);
  expect(await read('a: 1')).toBe('{"a":1}');
});
