import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInSlices } from './json-in-slices.ts';

test('the result equals that of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect((await jsonInSlices(value)).toString()).toBe(JSON.stringify(value));
    }),
  );
  const value = { a: undefined, at: new Date(0), list: [{ b: undefined }, new Date(0)], none: [] };
  expect((await jsonInSlices(value)).toString()).toBe(JSON.stringify(value));
});

test('other work runs while a long list is serialised', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await jsonInSlices({ results: Array.from({ length: 200_000 }, (_, n) => ({ name: `Record ${n}` })) });
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(2);
});
