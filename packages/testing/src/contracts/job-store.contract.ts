import type { Job } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aJob, listed } from '../builders/a-job.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anApiKey } from '../builders/an-api-key.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { claimJob } from './claim-job.ts';
import { historyOf } from './read-state.ts';

const CHANGES: Readonly<Record<string, Job['work']>> = {
  'an empty change': {},
  'a change to everything': {
    plugin: 8,
    enabled: true,
    order: 0,
    name: 'Name 🚀',
    description: '',
    deleted: false,
  },
  'a change that removes the name': { name: null, description: null },
};

export function jobStoreContract(test: TestWith<Ports>): void {
  for (const [name, change] of Object.entries(CHANGES)) {
    test(`${name} is claimed unchanged, and listed without it`, async (ports) => {
      const record = await aRecord(ports, await aFamily(ports));
      const job = aJob(record, { work: change, createdAt: secondsLater(1.234) });
      await ports.jobs.queue(job, null);
      expect(await ports.jobs.find(record, job.id)).toEqual(listed(job));
      expect(await claimJob(ports)).toMatchObject({ id: job.id, change });
    });
  }

  test('the history shows when a job was queued, and its author', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const author = { actor: { keyId, label }, requestId: 'request-1' };
    await ports.jobs.queue(aJob(record, { ...author, createdAt: secondsLater(2) }), null);
    const [entry] = await historyOf(ports, record);
    expect(entry).toEqual({
      ...author,
      id: entry?.id,
      activity: 'job_queued',
      at: secondsLater(2),
      changes: [],
    });
  });

  test('a job is queued if the record has one of the accepted versions', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const job = aJob(record);
    await ports.jobs.queue(job, [record.version + 4, record.version]);
    expect(await ports.jobs.find(record, job.id)).toEqual(listed(job));
  });

  test('a job for an outdated version is rejected without an activity entry', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.records.save(aRecordWrite(record, { name: 'Newer' }));
    const job = aJob(record);
    for (const precondition of [[record.version], []]) {
      const queueing = ports.jobs.queue(job, precondition);
      await expect(queueing).rejects.toMatchObject({ name: 'DomainError', code: 'stale_version' });
    }
    expect(await ports.jobs.find(record, job.id)).toBeNull();
    expect((await historyOf(ports, record)).map(({ activity }) => activity)).toEqual(['updated', 'created']);
  });

  test('queueing a job does not change the record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    await ports.jobs.queue(aJob(record), null);
    expect((await ports.records.find(record)).value).toEqual(record);
  });

  test('a job is found only under its own record', async (ports) => {
    const family = await aFamily(ports);
    const elsewhere = await aFamily(ports);
    const record = await aRecord(ports, family);
    const sister = await aRecord(ports, family);
    const job = aJob(record);
    await ports.jobs.queue(job, null);
    expect(await ports.jobs.find(sister, job.id)).toBeNull();
    expect(await ports.jobs.find({ ...elsewhere, id: record.id }, job.id)).toBeNull();
    const otherFamily = { ...record, family: 'pipeline_transformation_configs' } as const;
    expect(await ports.jobs.find(otherFamily, job.id)).toBeNull();
  });
}
