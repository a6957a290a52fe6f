import { expect, test } from 'vitest';
import { networkOf, signInAttempts } from './sign-in-attempts.ts';

test('a network may fail ten times, then once every six seconds; successes do not count', () => {
  const take = signInAttempts();
  for (let i = 0; i < 100; i++) take('10.0.0.1', i)();
  for (let i = 0; i < 10; i++) take('10.0.0.1', 100);
  const rejected = expect.objectContaining({ code: 'throttled', retryAfterSeconds: 6 });
  expect(() => take('10.0.0.1', 100)).toThrow(rejected);
  expect(() => take('10.0.0.2', 100)).not.toThrow();
  expect(() => take('10.0.0.1', 6_100)).not.toThrow();
  expect(() => take('10.0.0.1', 6_100)).toThrow(rejected);
});

test('the oldest of very many networks are dropped', () => {
  const take = signInAttempts();
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
] as const)('%s is in the network %s', ([address, network]) => {
  expect(networkOf(address)).toBe(network);
});
