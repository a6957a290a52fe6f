import { aFamily, aJob, anAuthor, aRecord } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

/** The pool size of `withDatabase`. */
const POOL_SIZE = 10;

/** Removes the time limits of the session on all connections. */
async function removeLimits(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
  for (const client of clients) {
    await client.query('set lock_timeout = 0; set statement_timeout = 0');
    client.release();
  }
}

test('queueing and cancelling a job wait for the family until the deadline at most', () =>
  withDatabase(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const job = aJob(record);
    await ports.jobs.queue(job, null);
    await removeLimits(database.pool);
    const deadline = { remainingMs: () => 50 };
    await ports.records.lock(record, async () => {
      const cancelling = ports.jobs.cancel(record, job.id, anAuthor(), deadline);
      await expect(cancelling).rejects.toMatchObject({ code: 'busy' });
      await expect(ports.jobs.queue(aJob(record), null, { deadline })).rejects.toMatchObject({
        code: 'busy',
      });
    });
  }));
