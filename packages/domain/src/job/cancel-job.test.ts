import { expect, test } from 'vitest';
import { checkCancellable } from './cancel-job.ts';

test('a queued job can be cancelled, even twice', () => {
  expect(() => checkCancellable('queued')).not.toThrow();
  expect(() => checkCancellable('cancelled')).not.toThrow();
});

test.each([
  ['running', 'The job is running. Only a queued job can be cancelled.'],
  ['succeeded', 'The job has already succeeded. Only a queued job can be cancelled.'],
  ['failed', 'The job has already failed. Only a queued job can be cancelled.'],
] as const)('a job that is %s cannot be cancelled', (state, message) => {
  expect(() => checkCancellable(state)).toThrow(
    expect.objectContaining({ name: 'DomainError', code: 'job_not_queued', message }),
  );
});
