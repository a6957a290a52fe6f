import { randomBytes, randomUUID } from 'node:crypto';
import { aFamily, aJob, aRecord } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresRetention } from './postgres-retention.ts';
import { LOCK_AS_LONG_READER } from '../log/days/drop-day-in-use.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

test('old rows are deleted during the search of a log', () =>
  withDatabase(async (database, url) => {
    await aRecord(postgresPorts(database), await aFamily(postgresPorts(database)));
    const search = new pg.Client({ connectionString: url });
    await search.connect();
    await search.query(`begin; ${LOCK_AS_LONG_READER}`);
    const chunks: number[] = [];
    for await (const chunk of postgresRetention(database).activity(0)) chunks.push(chunk);
    await search.end();
    expect(chunks).toEqual([1]);
  }));

test('a chunk of jobs is bounded by what they returned', () =>
  withDatabase(async (database) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports));
    for (let jobs = 0; jobs < 3; jobs++) await ports.jobs.queue(aJob(record, { id: randomUUID() }), null);
    await database.pool.query(`update job set state = 'succeeded', finished_at = now(), output = $1::bytea`, [
      `\\x${randomBytes(3 * 1024 * 1024).toString('hex')}`,
    ]);
    const chunks: number[] = [];
    for await (const chunk of postgresRetention(database).jobs(0)) chunks.push(chunk);
    expect(chunks).toEqual([2, 1]);
  }));
