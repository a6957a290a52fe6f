import { expect, onTestFinished, test, vi } from 'vitest';
import { figure } from './figure.ts';

test('a figure is its last value; it is null before the first, after a failure, and when it is stale', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let answer = Promise.resolve(1);
  const { latest, refresh } = figure(() => answer);
  expect(latest()).toBeNull();
  await refresh();
  expect(latest()).toBe(1);
  answer = Promise.reject(new Error('away'));
  await refresh();
  expect(latest()).toBeNull();
  answer = Promise.resolve(2);
  await refresh();
  vi.advanceTimersByTime(14_999);
  expect(latest()).toBe(2);
  vi.advanceTimersByTime(1);
  expect(latest()).toBeNull();
});
