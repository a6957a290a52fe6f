import { setTimeout as sleep } from 'node:timers/promises';
import { aFamily, anAuthor, aRecord, aRecordWrite } from '@plugin-config/testing';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { inTransactionWithin } from '../postgres/in-transaction.ts';
import { run } from '../postgres/statement.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts, type PostgresPorts } from '../postgres-ports.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();
/** The pool size of `withDatabase`. */
const POOL_SIZE = 10;

async function twoRecords(ports: PostgresPorts) {
  return [await aRecord(ports, await aFamily(ports)), await aRecord(ports, await aFamily(ports))] as const;
}

/** Ends idle transactions on all connections sooner than `sessionSettings` does. */
async function shortenIdleTransactions(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
  for (const client of clients) {
    await client.query('set idle_in_transaction_session_timeout = 500');
    client.release();
  }
}

test('only a request that waits too long for a family is rejected as busy, and not stored', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [blocked, free] = await twoRecords(ports);
    const ended = new AbortController();
    const held = Promise.withResolvers<void>();
    const locking = ports.records.lock(blocked, async ({ record }) => {
      held.resolve();
      while (!ended.signal.aborted) await record(blocked.id).then(() => sleep(200));
    });
    await held.promise;
    const end = performance.now() + 1_200;
    const deadline = { remainingMs: () => end - performance.now() };
    const [first, second] = await Promise.allSettled([
      ports.records.save({ ...aRecordWrite(blocked, { name: 'Changed' }), deadline }),
      ports.records.save(aRecordWrite(free, { name: 'Changed' })),
    ]);
    ended.abort();
    await locking;
    expect(first).toMatchObject({ reason: { code: 'busy', retryAfterSeconds: 2 } });
    expect(second).toMatchObject({ value: { name: 'Changed' } });
    expect((await ports.records.find(blocked)).value).toEqual(blocked);
  }));

test('a rearrange whose deadline passes before its end is rejected and moves nothing', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [record] = await twoRecords(ports);
    let left = 60_000;
    const rearrange = (isLate: boolean) =>
      ports.records.lock(
        record,
        async ({ move }) => {
          if (isLate) left = 0;
          await move([{ id: record.id, order: 5 }], anAuthor());
          left = 0;
        },
        { remainingMs: () => left },
      );
    await expect(rearrange(false)).rejects.toMatchObject({ code: 'busy' });
    left = 60_000;
    await expect(rearrange(true)).rejects.toMatchObject({ code: 'busy' });
    expect((await ports.records.find(record)).value).toEqual(record);
  }));

test('the time that a rearrange waited for its family is deducted from its next statement', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [record] = await twoRecords(ports);
    const other = await database.pool.connect();
    await other.query('begin');
    await other.query('select from config_record where id = $1 for update', [record.id]);
    let left = 60_000;
    const moving = ports.records.lock(
      record,
      async ({ move }) => {
        left = 500;
        await move([{ id: record.id, order: 5 }], anAuthor());
      },
      { remainingMs: () => left },
    );
    const release = setTimeout(() => other.release(true), 10_000);
    await expect(moving).rejects.toMatchObject({ code: 'busy' });
    clearTimeout(release);
    other.release(true);
  }));

test('an idle transaction loses its lock on a family to waiting requests', () =>
  withDatabase(async (database) => {
    const ports = postgresPorts(database);
    const [record] = await twoRecords(ports);
    await shortenIdleTransactions(database.pool);
    const [locked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const silent = ports.records.lock(record, async (family) => {
      locked.resolve();
      await isOver.promise;
      return family.record(record.id);
    });
    const outcome = silent.catch((error: unknown) => error);
    await locked.promise;
    const saved = ports.records.save(aRecordWrite(record, { name: 'Changed' })).finally(isOver.resolve);
    expect(await saved).toMatchObject({ version: 2 });
    expect(await outcome).toMatchObject({ code: 'unavailable' });
  }));

const TOO_BUSY = {
  code: 'unavailable',
  message: 'The service is too busy to do this in time.',
  retryAfterSeconds: 2,
};

test('a statement that takes longer than the deadline is not reported as an outage', () =>
  withEmptied(async ({ pool }) => {
    const end = performance.now() + 100;
    const deadline = { remainingMs: () => end - performance.now() };
    const slow = inTransactionWithin(pool, { deadline }, (client) =>
      run(client, { name: 'slow', text: 'select pg_sleep(20)' }, []),
    );
    await expect(slow).rejects.toMatchObject(TOO_BUSY);
  }));

test('a request that waits too long for a free connection is not reported as an outage', () =>
  withDatabase(async ({ pool }) => {
    const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
    await expect(run(pool, { name: 'one', text: 'select 1' }, [])).rejects.toMatchObject(TOO_BUSY);
    for (const client of clients) client.release();
  }));
