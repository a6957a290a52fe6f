import { UNFINISHED_JOBS_MAX, type ConfigRecord, type Job } from '@plugin-config/domain';
import {
  aFamily,
  aJob,
  anApiKey,
  anAuthor,
  aRecord,
  historyOf,
  queueOnce,
  seededRandomness,
  type KeyedJob,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const REJECTION = { name: 'DomainError', code: 'throttled', retryAfterSeconds: 60 };

const withEmptied = databaseOfFile();

test('a project with too many unfinished jobs gets no more until one ends; other projects are not affected', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const elsewhere = await aRecord(ports, await aFamily(ports));
    const { uuid } = seededRandomness();
    const job = (): Job => aJob(record, { id: uuid() });
    const last = job();
    await fill(database, job());
    await ports.jobs.queue(last, null);
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(REJECTION);
    const stale = ports.jobs.queue(job(), [record.version + 1]);
    await expect(stale).rejects.toMatchObject({ code: 'stale_version' });
    expect(await historyOf(ports, record)).toHaveLength(3);
    await ports.jobs.queue(aJob(elsewhere, { id: uuid() }), null);
    await cancel(ports, last);
    await ports.jobs.queue(job(), null);
    await expect(ports.jobs.queue(job(), null)).rejects.toMatchObject(REJECTION);
  }));

test('a repeated request gets its first response even if the project has too many jobs; a rejected request can be repeated', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const { id: keyId, label } = await ports.keys.add(anApiKey(), anAuthor());
    const { uuid } = seededRandomness();
    const keyed = (name: string): KeyedJob =>
      keyedJob(record, aJob(record, { id: uuid(), actor: { keyId, label } }), name);
    const first = keyed('first');
    await fill(database, first.job);
    expect(await queueOnce(ports.jobs, keyed('second'))).toMatchObject({ isFirst: true });
    await expect(queueOnce(ports.jobs, keyed('third'))).rejects.toMatchObject(REJECTION);
    expect(await queueOnce(ports.jobs, keyed('second'))).toMatchObject({ isFirst: false });
    await cancel(ports, first.job);
    expect(await queueOnce(ports.jobs, keyed('third'))).toMatchObject({ isFirst: true });
  }));

/** Leaves room for one more job. */
async function fill(database: EncryptedDatabase, job: Job): Promise<void> {
  await postgresPorts(database).jobs.queue(job, null);
  await database.pool.query(
    `insert into task (kind, project_id, key) select t.kind, t.project_id, t.key
    from task t, generate_series(1, $2) where t.payload = $1`,
    [job.id, UNFINISHED_JOBS_MAX - 2],
  );
}

async function cancel(
  { jobs }: PostgresPorts,
  { record, id, actor, requestId, createdAt: at }: Job,
): Promise<void> {
  expect(await jobs.cancel(record, id, { actor, requestId, at })).toBe('queued');
}

function keyedJob(record: ConfigRecord, job: Job, name: string): KeyedJob {
  const key = { name, digest: 'body' };
  return { job, response: { jobId: job.id, record }, precondition: null, key };
}
