import { pino } from 'pino';
import { expect, test } from 'vitest';
import { restartOnFailure } from './restart-on-failure.ts';

function loggedTo(lines: string[]) {
  return pino({ base: null }, { write: (line) => void lines.push(line) });
}

test('restarts a failing loop until it ends normally, and logs each failure once in a row', async () => {
  const lines: string[] = [];
  const failures = ['one', 'one', 'another'];
  let runs = 0;
  const run = async (): Promise<void> => {
    const failure = failures[runs++];
    if (failure !== undefined) throw new Error(failure);
  };
  const started = performance.now();
  await restartOnFailure({ name: 'test', logger: loggedTo(lines), run }, new AbortController().signal);
  expect(runs).toBe(4);
  expect(lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual([
    'one',
    'another',
  ]);
  // Each pause is longer than the one before.
  expect(performance.now() - started).toBeGreaterThan(1_300);
});

test('stopping the loop ends its back-off', async () => {
  const stop = new AbortController();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs++;
    throw new Error('always');
  };
  const restarting = restartOnFailure({ name: 'test', logger: loggedTo([]), run }, stop.signal);
  // The loop is now waiting for 3.2 s.
  await expect.poll(() => runs).toBe(5);
  const stopped = performance.now();
  stop.abort();
  await restarting;
  expect(performance.now() - stopped).toBeLessThan(2_000);
});
