import { ACCOUNT_KEYS_MAX } from '@plugin-config/domain';
import { aFamily, aKeyHash, anApiKey, anAuthor, secondsLater } from '@plugin-config/testing';
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

test('keys bound to the same projects share an account, even if they are issued at once', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const [one, two] = [(await aFamily(ports)).projectId, (await aFamily(ports)).projectId];
    let n = 0;
    const add = (projectIds: readonly number[], accountId: number | null = null) =>
      ports.keys.add(anApiKey({ hash: aKeyHash(++n), projectIds, accountId }), anAuthor());
    const accountsOf = async (projectIds: readonly number[]) =>
      new Set((await Promise.all([1, 2, 3].map(() => add(projectIds)))).map((key) => key.accountId));
    const found = [await accountsOf([one]), await accountsOf([two, one]), await accountsOf([one, two])];
    expect(found.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(found[1]).toEqual(found[2]);
    expect(found[0]).not.toEqual(found[1]);
    expect((await accountsOf([])).size).toBe(3);
    const [first] = [...(found[0] ?? [])];
    expect((await add([two], first)).accountId).toBe(first);
    expect((await add([two])).accountId).toBe(first);
    await expect(add([two], 4711)).rejects.toMatchObject({ code: 'does_not_exist', attr: 'account_id' });
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
