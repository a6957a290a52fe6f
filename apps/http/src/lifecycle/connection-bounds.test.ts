import { expect, test } from 'vitest';
import { connectionBounds } from './connection-bounds.ts';

test('a process with a high open files limit has 25,000 connections, 5,000 of them for streams', () => {
  expect(connectionBounds(30_000)).toEqual({ connections: 25_000, streams: 5000 });
  expect(connectionBounds(Infinity)).toEqual({ connections: 25_000, streams: 5000 });
});

test('a process with a low open files limit reserves some for its database connections', () => {
  expect(connectionBounds(4096)).toEqual({ connections: 3596, streams: 2247 });
  expect(connectionBounds(256)).toEqual({ connections: 500, streams: 312 });
});

test('the limit of this process is the default', () => {
  expect(connectionBounds().connections).toBeGreaterThan(0);
});
