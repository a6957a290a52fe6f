import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilUnanswered } from './until-unanswered.ts';

const EVERY_MS = 100;
const MOST = 6;
const NEVER = new AbortController().signal;

test('a hang is noticed after as many intervals as questions may be unanswered', async () => {
  const inTime = async (): Promise<string> => {
    for (let waited = 0; waited < 1.5 * MOST; waited++) await sleep(EVERY_MS);
    return 'too late';
  };
  const ask = async (): Promise<boolean> => sleep(EVERY_MS, false);
  expect(await Promise.race([untilUnanswered({ ask, everyMs: EVERY_MS, most: MOST }, NEVER), inTime()])).toBe(
    true,
  );
});

test('an answer begins the count anew', async () => {
  const answers = [false, false, true, false, false, false];
  let asked = 0;
  const ask = async (): Promise<boolean> => answers[asked++] ?? true;
  expect(await untilUnanswered({ ask, everyMs: 1, most: 3 }, NEVER)).toBe(true);
  expect(asked).toBe(answers.length);
});

test('the questions end with the process', async () => {
  const ended = new AbortController();
  const ask = async (): Promise<boolean> => {
    ended.abort();
    return true;
  };
  expect(await untilUnanswered({ ask, everyMs: EVERY_MS, most: MOST }, ended.signal)).toBe(false);
});
