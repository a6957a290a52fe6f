import { anApiKey, anAuthor, secondsLater } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('of two revocations that wait for the same key, the first takes effect', () =>
  withEmptied(async (database) => {
    const { keys, audit } = postgresPorts(database);
    const { id } = await keys.add(anApiKey(), anAuthor());
    const client = await database.pool.connect();
    await client.query('begin; select from api_key for update');
    const first = keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
    await expect.poll(() => database.pool.query(WAITING)).toMatchObject({ rowCount: 1 });
    const second = keys.revoke(id, null, anAuthor({ at: secondsLater(2) }));
    await expect.poll(() => database.pool.query(WAITING)).toMatchObject({ rowCount: 2 });
    await client.query('commit');
    client.release();
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await keys.find(id)).toMatchObject({ revokedAt: secondsLater(1) });
    const { items } = await audit.page({ limit: 10, offset: 0 });
    expect(items.map(({ action, at }) => [action, at])).toEqual([
      ['key_revoked', secondsLater(1)],
      ['key_issued', anAuthor().at],
    ]);
  }));
