import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInSlices } from './json-in-slices.ts';

test('a body is that of JSON.stringify', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect((await jsonInSlices(value)).toString()).toBe(JSON.stringify(value));
    }),
  );
  const value = { a: undefined, at: new Date(0), list: [{ b: undefined }, new Date(0)], none: [] };
  expect((await jsonInSlices(value)).toString()).toBe(JSON.stringify(value));
});

test('other work runs while a long list is written', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await jsonInSlices({ results: Array.from({ length: 200_000 }, (_, n) => ({ name: `Record ${n}` })) });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});
