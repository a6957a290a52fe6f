import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

const split = (pattern: string, text: string) => {
  const groups = linearPattern(pattern).split(text);
  return groups && Object.fromEntries(groups);
};

test.each([
  ['(?<host>[^:]+):(?<port>\\d+)', 'db.internal:5432', { host: 'db.internal', port: '5432' }],
  ['(?<host>[^:]+):(?<port>\\d+)', 'db.internal', null],
  ['(?<host>[^:]+):(?<port>\\d+)', 'a:1:2', null],
  ['(?<scheme>https?)://(?<host>[\\w.-]+)/?', 'https://a-b.test/', { scheme: 'https', host: 'a-b.test' }],
  ['(?<first>.)(?<rest>.*)', '😀\nx', { first: '😀', rest: '\nx' }],
  ['(?<year>\\d{4})-(?<month>\\d{2})', '2026-11', { year: '2026', month: '11' }],
  ['(?<a>[\\]\\-a-c]{1,2})\\.(?<b>[^\\s-]?)', ']-.', { a: ']-', b: '' }],
  ['(?<a>x{2,})y', 'xy', null],
])('%s splits %j', (pattern, text, groups) => {
  expect(split(pattern, text)).toEqual(groups);
});

test.each([
  ['no groups', '\\d+'],
  ['a group in a group', '(?<a>(?<b>x))'],
  ['a group that occurs twice', '(?<a>x)(?<a>y)'],
  ['a group that is empty', '(?<a>)'],
  ['a group that is not closed', '(?<a>x'],
  ['a group that repeats', '(?<a>x)+'],
  ['a group without a name', '(?<a>x)(y)'],
  ['an alternative', '(?<a>x|y)'],
  ['an anchor', '^(?<a>x)'],
  ['a reference back', '(?<a>x)\\1'],
  ['a class that is not closed', '(?<a>[x'],
  ['a class without characters', '(?<a>[])'],
  ['a range that goes backwards', '(?<a>[z-a])'],
  ['a range of classes', '(?<a>[\\d-z])'],
  ['a lazy repetition', '(?<a>x+?)'],
  ['a large repetition', '(?<a>x{1001})'],
  ['a repetition that goes backwards', '(?<a>x{3,2})'],
  ['a repetition that can begin what follows', '(?<a>.+):(?<b>\\d+)'],
  ['one that can begin what follows an optional part', '(?<a>\\w+)-?(?<b>\\d)'],
  ['a nested repetition', '(?<a>(x+)+)y'],
  ['too many characters', `(?<a>${'x'.repeat(1000)})`],
])('a pattern with %s is rejected', (_, pattern) => {
  expect(() => linearPattern(pattern)).toThrow(
    expect.objectContaining({ code: 'invalid_input', attr: 'migrations' }),
  );
});

test('a text of more than ten thousand characters is not split', () => {
  expect(split('(?<a>x*)', 'x'.repeat(10_000))).not.toBeNull();
  expect(split('(?<a>x*)', 'x'.repeat(10_001))).toBeNull();
});

test('every accepted pattern matches as the expression it was written as, in linear time', () => {
  const part = fc.constantFrom('a', 'b', '\\d', '[ab]', '[^a]', '.', ':', '[a-c\\d]');
  const item = fc
    .tuple(part, fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}'))
    .map((pair) => pair.join(''));
  const group = fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(''));
  const patterns = fc.tuple(group, group, group).map(([a, b, c]) => `(?<a>${a})${b}(?<c>${c})`);
  const texts = fc.array(fc.constantFrom('a', 'b', '1', ':', 'aaaa', '1111', 'bb'.repeat(4000)), {
    maxLength: 4,
  });
  let accepted = 0;
  fc.assert(
    fc.property(patterns, texts, (pattern, parts) => {
      const text = parts.join('').slice(0, 10_000);
      let linear;
      try {
        linear = linearPattern(pattern);
      } catch {
        return;
      }
      accepted++;
      const begun = Date.now();
      const groups = linear.split(text);
      expect(Date.now() - begun).toBeLessThan(1000);
      expect(groups && Object.fromEntries(groups)).toEqual(
        new RegExp(`^${pattern}$`, 'su').exec(text)?.groups ?? null,
      );
    }),
    { numRuns: 400 },
  );
  expect(accepted).toBeGreaterThan(5);
});
