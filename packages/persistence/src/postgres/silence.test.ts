import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { execute } from './in-transaction.ts';
import { allowSilence } from './silence.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { wireOf } from './wire.ts';

const IMPATIENT = { statementTimeoutMs: 300 };
const LIMIT_MS = 2_000;
const PAUSE_MS = 2_500;
const SILENT_STATEMENT = 'set statement_timeout = 0; select pg_sleep(6)';

/** Shortens the allowed silence of the connection. */
function shortenSilence(client: pg.ClientBase): void {
  wireOf(client).connection.stream.setTimeout(LIMIT_MS);
}

// These tests only wait, so they run concurrently.
describe.concurrent('silence', () => {
  test('a connection whose server is silent for too long is reported as unavailable', () =>
    withDatabase(async ({ pool }) => {
      const client = await pool.connect();
      await expect(execute(client, SILENT_STATEMENT)).rejects.toMatchObject({ code: 'unavailable' });
      client.release(true);
    }, IMPATIENT));

  test('a longer silence is only allowed for the work that requests it', { tags: ['long'] }, () =>
    withDatabase(async ({ pool }) => {
      const client = await pool.connect();
      shortenSilence(client);
      await allowSilence(client, 30_000, () => execute(client, SILENT_STATEMENT));
      await execute(client, 'select 1');
      await expect(execute(client, SILENT_STATEMENT)).rejects.toMatchObject({ code: 'unavailable' });
      client.release(true);
    }),
  );

  test(
    'an idle connection may be silent, and is watched again from the next statement',
    { tags: ['long'] },
    () =>
      withDatabase(async ({ pool }) => {
        const client = await pool.connect();
        shortenSilence(client);
        for (const _ of [1, 2]) {
          await sleep(PAUSE_MS);
          await execute(client, 'select 1');
        }
        await sleep(PAUSE_MS);
        await expect(execute(client, SILENT_STATEMENT)).rejects.toMatchObject({ code: 'unavailable' });
        client.release(true);
      }),
  );
});
