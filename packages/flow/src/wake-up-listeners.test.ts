import { expect, test } from 'vitest';
import { wakeUpListeners } from './wake-up-listeners.ts';

test('a listener may remove itself or another one while it is called', () => {
  const listeners = wakeUpListeners();
  const called: string[] = [];
  const end = listeners.listen(1, () => {
    called.push('first');
    end();
    end();
  });
  listeners.listen(1, () => called.push('second'));
  listeners.listen(2, () => called.push('other'));
  listeners.wake([1]);
  listeners.wake([1]);
  expect(called).toEqual(['first', 'second', 'second']);
  listeners.wakeAll();
  expect(called.slice(3)).toEqual(['second', 'other']);
  expect(listeners.size).toBe(2);
});

test('a function that listens twice is called twice, and each listener is removed separately', () => {
  const listeners = wakeUpListeners();
  let calls = 0;
  const ends = [1, 2].map(() => listeners.listen(1, () => void (calls += 1)));
  listeners.wake([1, 2]);
  expect(calls).toBe(2);
  ends[0]?.();
  listeners.wake([1]);
  expect(calls).toBe(3);
  ends[1]?.();
  expect(listeners.size).toBe(0);
});
