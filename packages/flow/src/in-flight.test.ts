import { expect, test } from 'vitest';
import { inFlight } from './in-flight.ts';

test('work starts while there is room, and otherwise waits until other work ends', async () => {
  const works = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ] as const;
  const running = inFlight(2);
  await running.begin(works[0].promise);
  let hasRoom = false;
  const second = running.begin(works[1].promise).then(() => {
    hasRoom = true;
  });
  await Promise.resolve();
  expect([running.size, hasRoom]).toEqual([2, false]);
  works[0].resolve();
  await second;
  expect(running.size).toBe(1);
  works[1].resolve();
  await running.idle();
  expect(running.size).toBe(0);
});
