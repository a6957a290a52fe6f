import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { inTransaction } from './in-transaction.ts';
import { prepared, run } from './statement.ts';

const withEmptied = databaseOfFile();

const ADD = prepared('add')`insert into project (name, created_at) values ($1, now()) returning name`;
const COUNT = prepared('count')`select count(*) from project`;
const FAIL = prepared('fail')`select 1 / $1::integer`;
const DEFERRED = `select conname as name from pg_constraint where condeferrable
  union all select tgname from pg_trigger where tgdeferrable`;

test('a statement outside of a transaction returns its result and is rolled back', () =>
  withEmptied(async ({ pool, dry }) => {
    expect(await run(dry.pool, ADD, ['a'])).toEqual([['a']]);
    expect(await run(pool, COUNT, [])).toEqual([['0']]);
  }));

test('a transaction sees its own writes, and is rolled back instead of committed', () =>
  withEmptied(async ({ pool, dry }) => {
    const counted = await inTransaction(dry.pool, 'begin', async (client) => {
      await run(client, ADD, ['a']);
      return run(client, COUNT, []);
    });
    expect(counted).toEqual([['1']]);
    expect(await run(pool, COUNT, [])).toEqual([['0']]);
  }));

test('each statement on a connection is rolled back, before and after a transaction', () =>
  withEmptied(async ({ pool, dry }) => {
    const client = await dry.pool.connect();
    await run(client, ADD, ['before']);
    for (const text of ['begin', ADD.text.replace('$1', `'within'`), 'commit']) await client.query(text);
    await run(client, ADD, ['after']);
    expect(await run(client, COUNT, [])).toEqual([['0']]);
    client.release();
    expect(await run(pool, COUNT, [])).toEqual([['0']]);
  }));

test('the connection of a failed statement is reused', () =>
  withEmptied(async ({ pool, dry }) => {
    await run(dry.pool, COUNT, []);
    const open = pool.totalCount;
    await expect(run(dry.pool, FAIL, [0])).rejects.toThrow('division by zero');
    await expect(inTransaction(dry.pool, 'begin', (client) => run(client, FAIL, [0]))).rejects.toThrow(
      'zero',
    );
    expect(await run(dry.pool, ADD, ['a'])).toEqual([['a']]);
    expect([pool.totalCount, pool.idleCount]).toEqual([open, open]);
  }));

test('a connection that is released within a transaction is closed', () =>
  withEmptied(async ({ pool, dry }) => {
    const client = await dry.pool.connect();
    await client.query('begin');
    const open = pool.totalCount;
    client.release();
    expect(pool.totalCount).toBe(open - 1);
  }));

test('no constraint or trigger is deferred to the commit, which a dry run never reaches', () =>
  withEmptied(async ({ pool }) => {
    expect((await pool.query(DEFERRED)).rows).toEqual([]);
  }));
