import { expect, test } from 'vitest';
import { nodeRandomness, ascendingUuids } from './node-randomness.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MANY = 100_000;

test('ids are unique version 7 UUIDs that start with the time', () => {
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

test('returns the requested number of bytes, different each time', () => {
  const { bytes } = nodeRandomness();
  expect(bytes(32)).toHaveLength(32);
  expect(bytes(32)).not.toEqual(bytes(32));
});

test('each id is greater than the previous one, even within a millisecond', () => {
  const next = ascendingUuids(() => 1_767_268_800_123);
  const ids = Array.from({ length: MANY }, next);
  expect(ids.every((id) => VERSION_7.test(id))).toBe(true);
  expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
});

test('ids ascend even if the clock is set back', () => {
  const times = [2000, 1000, 1500, 3000];
  let at = 0;
  const next = ascendingUuids(() => times[at] ?? 0);
  const ids = times.map((_, i) => {
    at = i;
    return next();
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(Number.parseInt(ids[3]?.slice(9, 13) ?? '', 16)).toBe(3000);
});
