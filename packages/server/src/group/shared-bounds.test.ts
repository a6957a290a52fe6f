import { expect, test } from 'vitest';
import { sharedBounds } from './shared-bounds.ts';

const KEY = { keyId: 1, most: 2 };

test('all processes together take as many streams of a key as it may have, and each key has its own', async () => {
  const open = sharedBounds();
  const [one, two] = [open(), open()];
  expect([await one.takeStream(KEY), await two.takeStream(KEY), await one.takeStream(KEY)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(await one.takeStream({ ...KEY, keyId: 2 })).toBe(true);
  two.giveStream(1);
  expect([await one.takeStream(KEY), await two.takeStream(KEY)]).toEqual([true, false]);
});

test('the streams of a process that has ended are free, and those of others are not', async () => {
  const open = sharedBounds();
  const [one, two] = [open(), open()];
  await one.takeStream(KEY);
  await two.takeStream(KEY);
  one.giveAll();
  one.giveAll();
  one.giveStream(1);
  expect(await one.takeStream(KEY)).toBe(false);
  expect([await two.takeStream(KEY), await two.takeStream(KEY)]).toEqual([true, false]);
});

test('all processes count the requests of a key together', async () => {
  const open = sharedBounds();
  const [one, two] = [open(), open()];
  const request = { keyId: 1, perMinute: 3 };
  const left = [];
  for (const process of [one, two, one]) left.push((await process.countRequest(request)).remaining);
  expect(left).toEqual([2, 1, 0]);
  expect((await two.countRequest(request)).waitSeconds).not.toBeNull();
  expect((await two.countRequest({ ...request, keyId: 2 })).remaining).toBe(2);
});
