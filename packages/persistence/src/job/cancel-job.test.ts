import { aFamily, aJob, anAuthor, aRecord, secondsLater } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts } from '../postgres-ports.ts';

const withEmptied = databaseOfFile();
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('a cancellation that waited for the family comes after the awaited change in the history', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    const job = aJob(record);
    await ports.jobs.queue(job, null);
    let cancelling: Promise<unknown> | undefined;
    await ports.records.lock(record, async ({ move }) => {
      cancelling = ports.jobs.cancel(record, job.id, anAuthor({ at: secondsLater(60) }));
      await expect.poll(() => database.pool.query(WAITING)).toMatchObject({ rowCount: 1 });
      await move([{ id: record.id, order: 5 }], anAuthor({ at: secondsLater(90) }));
    });
    expect(await cancelling).toBe('queued');
    const { items } = await ports.activity.page(record, { limit: 2, offset: 0 });
    expect(items.map(({ activity, at }) => [activity, at])).toEqual([
      ['job_cancelled', secondsLater(90)],
      ['rearranged', secondsLater(90)],
    ]);
  }));
