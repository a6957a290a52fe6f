import { expect, test } from 'vitest';
import { connectionBounds } from './connection-bounds.ts';

test('a process that may open many files has 8,000 connections, 5,000 of them for streams', () => {
  expect(connectionBounds(20_000)).toEqual({ connections: 8000, streams: 5000 });
  expect(connectionBounds(Infinity)).toEqual({ connections: 8000, streams: 5000 });
});

test('a process that may open few files keeps room for its database connections', () => {
  expect(connectionBounds(4096)).toEqual({ connections: 3596, streams: 2247 });
  expect(connectionBounds(256)).toEqual({ connections: 500, streams: 312 });
});

test('the bounds follow from the limit of this process', () => {
  expect(connectionBounds().connections).toBeGreaterThan(0);
});
