import { pino } from 'pino';
import { expect, test } from 'vitest';
import { restartOnFailure } from './restart-on-failure.ts';

function loggedTo(lines: string[]) {
  return pino({ base: null }, { write: (line) => void lines.push(line) });
}

test('logs and restarts a failing loop until it ends normally', async () => {
  const lines: string[] = [];
  let runs = 0;
  const run = async (): Promise<void> => {
    runs++;
    if (runs < 3) throw new Error(`failure ${runs}`);
  };
  const started = performance.now();
  await restartOnFailure({ name: 'test', logger: loggedTo(lines), run }, new AbortController().signal);
  expect(runs).toBe(3);
  expect(lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message)).toEqual([
    'failure 1',
    'failure 2',
  ]);
  expect(performance.now() - started).toBeGreaterThan(550);
});

test('logs a repeated failure once', async () => {
  const lines: string[] = [];
  let runs = 0;
  const run = async (): Promise<void> => {
    runs++;
    if (runs < 3) throw new Error('the same');
  };
  await restartOnFailure({ name: 'test', logger: loggedTo(lines), run }, new AbortController().signal);
  expect([runs, lines.length]).toEqual([3, 1]);
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
