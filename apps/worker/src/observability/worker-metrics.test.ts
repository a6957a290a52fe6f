import { expect, onTestFinished, test, vi } from 'vitest';
import { refreshedValue } from './worker-metrics.ts';

test('a refreshed value is the last value; null before the first value, after a failure, or when it is stale', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let result = Promise.resolve(1);
  const { latest, refresh } = refreshedValue(() => result);
  expect(latest()).toBeNull();
  await refresh();
  expect(latest()).toBe(1);
  result = Promise.reject(new Error('down'));
  await refresh();
  expect(latest()).toBeNull();
  result = Promise.resolve(2);
  await refresh();
  vi.advanceTimersByTime(14_999);
  expect(latest()).toBe(2);
  vi.advanceTimersByTime(1);
  expect(latest()).toBeNull();
});
