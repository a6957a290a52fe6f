import {
  queueJob,
  type ConfigRecord,
  type Precondition,
  type QueuedJob,
  type RecordChange,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aRecord,
  historyOf,
  secondsLater,
  seededRandomness,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'queue' });

const REJECTED: readonly {
  readonly name: string;
  readonly change: RecordChange;
  readonly code: string;
  readonly attr: string;
}[] = [
  { name: 'a long name', change: { name: 'n'.repeat(401) }, code: 'max_length', attr: 'name' },
  {
    name: 'a long description',
    change: { description: 'd'.repeat(1001) },
    code: 'max_length',
    attr: 'description',
  },
  { name: 'a name with a null character', change: { name: '\0' }, code: 'invalid_input', attr: 'name' },
];

const test = testWithPorts();

describe('queueing a job', () => {
  test('a queued job has its record and author', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const queued = await queue(ports, record, { enabled: true });
    expect(queued.record).toEqual(record);
    expect(await ports.jobs.find(record, queued.jobId)).toMatchObject({
      record: { projectId: record.projectId, family: record.family, id: record.id },
      state: 'queued',
      attempts: 0,
      actor: AUTHOR.actor,
      requestId: AUTHOR.requestId,
      createdAt: AUTHOR.at,
    });
    expect((await historyOf(ports, record))[0]).toMatchObject({ ...AUTHOR, activity: 'job_queued' });
  });

  for (const { name, change, code, attr } of REJECTED) {
    test(`${name} is rejected at once`, async (ports) => {
      const record = await aRecord(ports, await aFamily(ports));
      await expect(queue(ports, record, change)).rejects.toMatchObject({ name: 'DomainError', code, attr });
      expect(await historyOf(ports, record)).toHaveLength(1);
    });
  }

  test('a job that is only invalid for the current state of the record is queued', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { deleted: true });
    const { jobId } = await queue(ports, record, { enabled: true });
    expect(await ports.jobs.find(record, jobId)).toMatchObject({ state: 'queued' });
  });

  test('a job is not queued with an outdated version', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await queue(ports, record, {}, [record.version]);
    const late = queue(ports, record, {}, [record.version + 1]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    expect(await historyOf(ports, record)).toHaveLength(2);
  });
});

function queue(
  { jobs }: Ports,
  record: ConfigRecord,
  change: RecordChange,
  precondition: Precondition = null,
): Promise<QueuedJob> {
  return queueJob(
    { jobs, randomness: seededRandomness() },
    { record, precondition, job: { type: null, work: change }, author: AUTHOR },
  );
}
