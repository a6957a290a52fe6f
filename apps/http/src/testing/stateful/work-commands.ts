import fc from 'fast-check';
import { expect } from 'vitest';
import type { ReceivedResponse } from '../caller.ts';
import { changes, conditionOf, conditions } from './change-commands.ts';
import type { ModelJob } from './model.ts';
import { keys, once } from './repeated-requests.ts';
import {
  expectRecord,
  expectRejected,
  expectStatus,
  places,
  recordCommand,
  type Command,
  type RecordTarget,
} from './service.ts';
import type { Wire } from '../wire.ts';

const picks = { place: places, pick: fc.nat(20) };

/** Queues a job, perhaps with an Idempotency-Key. No worker runs, so it stays queued. */
const queue = recordCommand(
  'queue',
  fc.record({ ...picks, condition: conditions, change: changes, key: keys }),
  async (target, { change, condition, key }) => {
    const path = `${target.path}/job`;
    const body = JSON.stringify(change);
    const { headers: ifMatch, holds } = await conditionOf(target, condition);
    await once(target, { path, key, body }, async (headers): Promise<ReceivedResponse<unknown> | null> => {
      const response = await target.call('POST', path, { body, headers: { ...headers, ...ifMatch } });
      if (!holds) {
        expectRejected(response, [412, 'precondition_failed', null]);
        return null;
      }
      expectStatus(response, 200);
      expectRecord(target, response);
      const id = response.headers.get('location')?.split('/').at(-1) ?? '';
      target.record.jobs.push({ id, state: 'queued' });
      addHistory(target, 'job_queued');
      return response;
    });
  },
);

const cancel = recordCommand(
  'cancel',
  fc.record({ ...picks, job: fc.nat(5) }),
  async (target, { job: n }) => {
    const { jobs } = target.record;
    const job = jobs[n % jobs.length];
    if (job === undefined) return;
    const { status, text } = await target.call('DELETE', `${target.path}/jobs/${job.id}`);
    expect([status, text]).toEqual([204, '']);
    if (job.state === 'queued') addHistory(target, 'job_cancelled');
    job.state = 'cancelled';
  },
);

function addHistory({ record, requestId }: RecordTarget, activity: string): void {
  record.history = [...record.history, { activity, changes: [], requestId }];
}

const listJobs = recordCommand(
  'list jobs',
  fc.record({
    ...picks,
    state: fc.constantFrom(null, 'queued', 'cancelled', 'running'),
    limit: fc.integer({ min: 1, max: 4 }),
    offset: fc.nat(4),
  }),
  async (target, { state, limit, offset }) => {
    const filter = state === null ? '' : `&state=${state}`;
    await expectJobs(target, `limit=${limit}&offset=${offset}${filter}`, (jobs) => {
      const found = jobs.filter((job) => state === null || job.state === state);
      return { count: found.length, page: found.slice(offset, offset + limit) };
    });
  },
);

export async function expectJobs(
  { record, call, path }: RecordTarget,
  parameters = '',
  pageOf = (jobs: readonly ModelJob[]) => ({ count: jobs.length, page: jobs }),
): Promise<void> {
  const { count, page } = pageOf(record.jobs.toReversed());
  const { body } = await call<Wire<'jobPage'>>('GET', `${path}/jobs?${parameters}`);
  expect([body.count, body.results.map(({ id, state }) => ({ id, state }))]).toEqual([count, page]);
}

const retrieveJob = recordCommand(
  'retrieve job',
  fc.record({ ...picks, job: fc.nat(5) }),
  async (target, { job: n }) => {
    const { jobs } = target.record;
    const job = jobs[n % jobs.length];
    if (job === undefined) return;
    const { body } = await target.call<Wire<'job'>>('GET', `${target.path}/jobs/${job.id}`);
    expect(body).toMatchObject({ ...job, attempts: 0, error: null });
    expect(body.finished_at === null).toBe(job.state === 'queued');
  },
);

export const WORK_COMMANDS: readonly fc.Arbitrary<Command>[] = [queue, cancel, listJobs, retrieveJob];
