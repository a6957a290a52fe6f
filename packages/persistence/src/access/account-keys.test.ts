import { ACCOUNT_KEYS_MAX } from '@plugin-config/domain';
import { aKeyHash, anApiKey, anAuthor, secondsLater } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test('a key starts an account or joins an existing one, in its grant and in the listing', () =>
  withEmptied(async (database) => {
    const { keys, probe } = postgresPorts(database);
    const first = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const second = await keys.add(anApiKey({ hash: aKeyHash(2), accountId: first.id }), anAuthor());
    expect([first.accountId, second.accountId]).toEqual([first.id, first.id]);
    expect((await keys.list({ limit: 10, offset: 0 }, null)).items).toEqual([first, second]);
    const grants = await probe.grants([first.id, second.id]);
    expect([...grants.values()].map(({ accountId }) => accountId)).toEqual([first.id, first.id]);
  }));

test('the limit of live keys per account holds even if keys are issued concurrently', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { id: accountId } = await keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    await database.pool.query(
      `insert into api_key (account_id, label, hash, scopes, created_at, expires_at, revoked_at)
      select $1, 'Key', lpad('f' || n, 64, '0'), '{plugin:read}', now(),
        case when n > $2 + 10 then $3::timestamptz end, case when n > $2 then $3::timestamptz end
      from generate_series(1, $2::int + 20) n`,
      [accountId, ACCOUNT_KEYS_MAX - 3, secondsLater(0).toISOString()],
    );
    const issue = (n: number) =>
      keys.add(anApiKey({ hash: aKeyHash(n), accountId }), anAuthor({ at: secondsLater(1) }));
    const issued = await Promise.allSettled([11, 12, 13, 14].map(issue));
    expect(issued.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(issued.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'throttled', retryAfterSeconds: 60 },
    });
    const other = await keys.add(anApiKey({ hash: aKeyHash(15) }), anAuthor());
    expect(other.accountId).toBe(other.id);
  }));
