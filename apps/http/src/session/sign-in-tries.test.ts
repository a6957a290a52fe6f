import { expect, test } from 'vitest';
import { networkOf, signInTries } from './sign-in-tries.ts';

test('a network has ten failed tries at once, then one every six seconds; tries that succeed are free', () => {
  const { take } = signInTries();
  for (let i = 0; i < 100; i++) take('10.0.0.1', i)();
  for (let i = 0; i < 10; i++) take('10.0.0.1', 100);
  const rejected = expect.objectContaining({ code: 'throttled', retryAfterSeconds: 6 });
  expect(() => take('10.0.0.1', 100)).toThrow(rejected);
  expect(() => take('10.0.0.2', 100)).not.toThrow();
  expect(() => take('10.0.0.1', 6_100)).not.toThrow();
  expect(() => take('10.0.0.1', 6_100)).toThrow(rejected);
});

test('of very many networks the first are forgotten', () => {
  const { take } = signInTries();
  for (let i = 0; i < 10; i++) take('first', 0);
  for (let i = 0; i < 10_000; i++) take(`10.0.${i >> 8}.${i & 255}`, 0);
  expect(() => take('first', 0)).not.toThrow();
});

test.for([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['2001:0db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
] as const)('%s is of the network %s', ([address, network]) => {
  expect(networkOf(address)).toBe(network);
});
