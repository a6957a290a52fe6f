import { expect, test } from 'vitest';
import { nodeRandomness } from './node-randomness.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are unique version 7 UUIDs that begin with the time', () => {
  const { uuid } = nodeRandomness();
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, uuid);
  const after = Date.now();
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(VERSION_7);
    const time = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(after);
  }
});

test('the requested number of bytes is returned, and they differ each time', () => {
  const { bytes } = nodeRandomness();
  expect(bytes(32)).toHaveLength(32);
  expect(bytes(32)).not.toEqual(bytes(32));
});
