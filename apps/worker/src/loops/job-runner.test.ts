import { DomainError, handlerRuns, type JobRunStore } from '@plugin-config/domain';
import { structuredLogger } from '@plugin-config/server';
import { aJob } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { jobRunner, type JobRunner } from './job-runner.ts';

const JOB = {
  ...aJob({ projectId: 1, family: 'plugin_configs', id: 1 }),
  claim: 1,
  isKeyRevoked: false,
  attempts: 1,
};

/** A store that fails to settle jobs. */
function failingWith(error: Error): JobRunStore {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { claim: fail, settle: fail, backlog: fail };
}

function runnerOf(jobs: JobRunStore, lines: Record<string, unknown>[] = []): JobRunner {
  return jobRunner({
    jobs,
    handlers: [],
    handlerRuns: handlerRuns(),
    jobTimeoutMs: 1000,
    configurationValues: { of: async () => null },
    requireRegistered: false,
    onLines: () => {},
    logger: structuredLogger('worker', 'info', { write: (line) => lines.push(JSON.parse(line)) }),
  });
}

async function logOf(error: Error): Promise<readonly Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const runner = runnerOf(failingWith(error), lines);
  runner.begin(JOB);
  await runner.ended();
  return lines;
}

test('logs a job that cannot be settled as a warning during an outage, and as an error otherwise', async () => {
  const message = 'the result of a job could not be stored; the job will be retried';
  const outage = new DomainError('unavailable', 'The database cannot be reached.');
  expect(await logOf(outage)).toMatchObject([{ level: 'warn', msg: message, job_id: JOB.id }]);
  expect(await logOf(new TypeError('a bug'))).toMatchObject([{ level: 'error', msg: message }]);
});

test('waiting for jobs leaks no memory in an idle worker', async () => {
  const runner = runnerOf(failingWith(new DomainError('unavailable', 'An outage.')));
  const waits = [runner.ended(), runner.ended()];
  expect(waits[0]).not.toBe(waits[1]);
  runner.begin(JOB);
  await waits[1];
});
