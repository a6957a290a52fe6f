import { expect, test } from 'vitest';
import { entityTag, matchesTag, preconditionOf } from './entity-tag.ts';

test('a tag names the version and the bytes', () => {
  const [a, b] = [Buffer.from('a'), Buffer.from('b')];
  expect(entityTag(3, a)).toMatch(/^"3-[\w-]{20,}"$/);
  expect(entityTag(3, a)).toBe(entityTag(3, Buffer.from('a')));
  expect(new Set([entityTag(3, a), entityTag(4, a), entityTag(3, b)]).size).toBe(3);
});

test.for([
  ['"1-a"', true],
  ['W/"1-a"', true],
  ['*', true],
  [' * ', true],
  ['"x", "1-a"', true],
  ['"x","y"', false],
  ['1-a', false],
  ['', false],
  ['"1-a', false],
] as const)('If-None-Match %s: %s', ([header, matches]) => {
  expect(matchesTag(header, '"1-a"')).toBe(matches);
});

test.for([
  [undefined, null],
  ['*', null],
  ['"7-abc"', [7]],
  ['"7-abc", W/"8-abc", "9-d_-"', [7, 9]],
  ['W/"7-abc"', []],
  ['"7"', []],
  ['"abc"', []],
  ['"-7-abc"', []],
  ['"99999999999999999999-abc"', []],
  ['7-abc', []],
  ['', []],
] as const)('If-Match %s is the versions %j', ([header, versions]) => {
  expect(preconditionOf(header)).toEqual(versions);
});

test('a long header takes no time', () => {
  const started = performance.now();
  preconditionOf('"'.repeat(16_000));
  matchesTag('W/"'.repeat(5000), '"1-a"');
  expect(performance.now() - started).toBeLessThan(50);
});
