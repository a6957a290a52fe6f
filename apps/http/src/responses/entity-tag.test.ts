import { expect, test } from 'vitest';
import { currentTag, entityTag, matchesTag, preconditionOf } from './entity-tag.ts';

test('a tag contains the name, the version and a hash of the body', () => {
  const [a, b] = [Buffer.from('a'), Buffer.from('b')];
  expect(entityTag('5', 3, a)).toMatch(/^"5\.3-[\w-]{20,}"$/);
  expect(entityTag('5', 3, a)).toBe(entityTag('5', 3, Buffer.from('a')));
  const tags = [entityTag('5', 3, a), entityTag('6', 3, a), entityTag('5', 4, a), entityTag('5', 3, b)];
  expect(new Set(tags).size).toBe(4);
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
  ['"5.7-abc"', [7]],
  ['"5.7-abc", W/"5.8-abc", "5.9-d_-"', [7, 9]],
  ['"6.7-abc"', []],
  ['"5.5.7-abc", "plugin_configs.5.7-abc"', []],
  ['W/"5.7-abc"', []],
  ['"7-abc"', []],
  ['"5.7"', []],
  ['"abc"', []],
  ['"5.-7-abc"', []],
  ['"5.99999999999999999999-abc"', []],
  ['5.7-abc', []],
  ['', []],
] as const)('If-Match %s accepts the versions %j', ([header, versions]) => {
  expect(preconditionOf(header, '5')).toEqual(versions);
});

test('a long header is parsed quickly', () => {
  const before = process.threadCpuUsage();
  preconditionOf('"'.repeat(16_000), '5');
  preconditionOf(`"${'5.7-'.repeat(4000)}!"`, '5');
  for (let i = 0; i < 100; i++) {
    preconditionOf('"a",'.repeat(4000), '5');
    currentTag('"a",'.repeat(4000), '"1-a"');
  }
  matchesTag('W/"'.repeat(5000), '"1-a"');
  expect(process.threadCpuUsage(before).user).toBeLessThan(100_000);
});
