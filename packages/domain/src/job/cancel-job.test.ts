import { expect, test } from 'vitest';
import { checkCancellable } from './cancel-job.ts';

test('a queued job can be cancelled, and a cancelled one again', () => {
  expect(() => checkCancellable('queued')).not.toThrow();
  expect(() => checkCancellable('cancelled')).not.toThrow();
});

test.each([
  ['running', 'The job is running. Only a queued job can be cancelled.'],
  ['succeeded', 'The job has ended: it has succeeded. Only a queued job can be cancelled.'],
  ['failed', 'The job has ended: it has failed. Only a queued job can be cancelled.'],
] as const)('a job that is %s cannot be cancelled', (state, message) => {
  expect(() => checkCancellable(state)).toThrow(
    expect.objectContaining({ name: 'DomainError', code: 'job_not_queued', message }),
  );
});
