import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run } from './statement.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const withEmptied = databaseOfFile();

const ECHO = {
  name: 'echo',
  text: 'select to_json($1::text[])::text, to_json($2::bigint[])::text, to_json($3::bool[])::text, $4::text',
};
const DIVIDE = { name: 'divide', text: 'select (1 / $1::int)::text' };
const KNOWN = { name: 'known', text: 'select name from pg_prepared_statements order by name' };

const texts = fc.array(
  fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'null', 'NULL', '{}', '","', '\\', '"', ' a '),
    ),
  ),
);

test('every parameter is received unchanged', () =>
  withEmptied(async ({ pool }) => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(fc.option(fc.maxSafeInteger())),
        fc.array(fc.boolean()),
        fc.option(fc.string({ unit: 'grapheme' })),
        async (words, numbers, flags, text) => {
          const [row] = await run(pool, ECHO, [words, numbers, flags, text]);
          expect(row?.slice(0, 3).map((cell) => JSON.parse(cell ?? ''))).toEqual([words, numbers, flags]);
          expect(row?.[3]).toBe(text);
        },
      ),
      { seed: 20_261_121, numRuns: 200 },
    );
  }));

test('a connection stays usable after a failed statement, and prepares each statement once', () =>
  withDatabase(async ({ pool }) => {
    const client = await pool.connect();
    for (const _ of [1, 2]) {
      await expect(run(client, DIVIDE, [0])).rejects.toMatchObject({ code: '22012' });
      expect(await run(client, DIVIDE, [1])).toEqual([['1']]);
    }
    expect(await run(client, KNOWN, [])).toEqual([['divide'], ['known']]);
    client.release();
  }));

test('a name can only be used for one statement, and the stack of the error shows the caller', () =>
  withEmptied(async ({ pool }) => {
    const client = await pool.connect();
    await run(client, DIVIDE, [1]);
    await expect(run(client, { ...DIVIDE, text: 'select 2' }, [])).rejects.toMatchObject({
      cause: { message: expect.stringContaining('must be unique') },
    });
    await expect(run(client, DIVIDE, [0])).rejects.toMatchObject({
      stack: expect.stringContaining('statement.test.ts'),
    });
    client.release();
  }));

test('a statement with a separate timeout is cancelled after it', () =>
  withEmptied(async ({ pool }) => {
    const slow = { name: 'slow', text: 'select pg_sleep(5)', timeoutMs: 100 };
    await expect(run(pool, slow, [])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await run(pool, DIVIDE, [1])).toEqual([['1']]);
  }));

test('a statement that the server cannot parse does not break the connection', () =>
  withEmptied(async ({ pool }) => {
    const wrong = { name: 'wrong', text: 'selekt 1' };
    for (const _ of [1, 2]) await expect(run(pool, wrong, [])).rejects.toMatchObject({ code: '42601' });
    await expect(run(pool, DIVIDE, ['many'])).rejects.toMatchObject({ code: '22P02' });
    expect(await run(pool, DIVIDE, [1])).toEqual([['1']]);
    expect(pool.totalCount - pool.idleCount).toBe(0);
  }));
