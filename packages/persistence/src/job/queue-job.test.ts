import {
  queueJob,
  type ConfigRecord,
  type Job,
  type JobTask,
  type JobWork,
  type Precondition,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aRecord,
  historyOf,
  listed,
  secondsLater,
  seededRandomness,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'queue' });
const TASK: JobTask = { type: 'export', payload: null, operation: null };

const REJECTED: readonly {
  readonly name: string;
  readonly work: JobWork;
  readonly code: string;
  readonly attr: string;
}[] = [
  { name: 'a long name', work: change({ name: 'n'.repeat(401) }), code: 'max_length', attr: 'name' },
  {
    name: 'a long description',
    work: change({ description: 'd'.repeat(1001) }),
    code: 'max_length',
    attr: 'description',
  },
  { name: 'a name with a null character', work: change({ name: '\0' }), code: 'invalid_input', attr: 'name' },
  { name: 'no type', work: task({ type: '' }), code: 'blank', attr: 'job.type' },
  { name: 'a long type', work: task({ type: 't'.repeat(201) }), code: 'max_length', attr: 'job.type' },
  {
    name: 'a broken operation',
    work: task({ operation: '\ud800' }),
    code: 'invalid_input',
    attr: 'job.operation',
  },
  {
    name: 'a bottomless payload',
    work: task({ payload: nested(65) }),
    code: 'invalid_input',
    attr: 'job.payload',
  },
];

const test = testWithPorts();

describe('queueing a job', () => {
  test('a queued job has its record and author', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = await queue(ports, record, change({ enabled: true }));
    expect(job).toMatchObject({
      record: { projectId: record.projectId, family: record.family, id: record.id },
      state: 'queued',
      attempts: 0,
      actor: AUTHOR.actor,
      requestId: AUTHOR.requestId,
      createdAt: AUTHOR.at,
    });
    expect(await ports.jobs.find(record, job.id)).toEqual(listed(job));
    expect((await historyOf(ports, record))[0]).toMatchObject({ ...AUTHOR, activity: 'job_queued' });
  });

  for (const { name, work, code, attr } of REJECTED) {
    test(`${name} is rejected at once`, async (ports) => {
      const record = await aRecord(ports, await aFamily(ports));
      await expect(queue(ports, record, work)).rejects.toMatchObject({ name: 'DomainError', code, attr });
      expect(await historyOf(ports, record)).toHaveLength(1);
    });
  }

  test('a job that is only invalid for the current state of the record is queued', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { deleted: true });
    expect(await queue(ports, record, change({ enabled: true }))).toMatchObject({ state: 'queued' });
  });

  test('a job is not queued with an outdated version', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, task({}), [record.version]);
    const late = queue(ports, record, task({}), [record.version + 1]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect(await historyOf(ports, record)).toHaveLength(2);
  });
});

function queue(
  { jobs }: Ports,
  record: ConfigRecord,
  work: JobWork,
  precondition: Precondition = null,
): Promise<Job> {
  return queueJob({ jobs, randomness: seededRandomness() }, { record, precondition, work, author: AUTHOR });
}

function change(given: Extract<JobWork, { kind: 'change' }>['change']): JobWork {
  return { kind: 'change', change: given };
}

function task(given: Partial<JobTask>): JobWork {
  return { kind: 'task', task: { ...TASK, ...given } };
}

function nested(levels: number): JobTask['payload'] {
  return levels === 0 ? null : [nested(levels - 1)];
}
