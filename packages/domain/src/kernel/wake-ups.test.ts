import { expect, test } from 'vitest';
import { wakeUpListeners } from './wake-ups.ts';

test('a listener that ends itself or another one while it is called disturbs no third one', () => {
  const listeners = wakeUpListeners();
  const called: string[] = [];
  const end = listeners.listen('log', 1, () => {
    called.push('first');
    end();
    end();
  });
  listeners.listen('log', 1, () => called.push('second'));
  listeners.listen('family', 1, () => called.push('family'));
  listeners.wake('log', [1]);
  listeners.wake('log', 'all');
  expect(called).toEqual(['first', 'second', 'second']);
  listeners.wakeAll();
  expect(called.slice(3)).toEqual(['second', 'family']);
  expect(listeners.size).toBe(2);
});

test('one function that listens twice is called twice, and ends once at a time', () => {
  const listeners = wakeUpListeners();
  let calls = 0;
  const ends = [1, 2].map(() => listeners.listen('log', 1, () => void (calls += 1)));
  listeners.wake('log', [1, 2]);
  expect(calls).toBe(2);
  ends[0]?.();
  listeners.wake('log', [1]);
  expect(calls).toBe(3);
  ends[1]?.();
  expect(listeners.size).toBe(0);
});
