import { wakeUpsContract, type WakeUpPorts } from '@plugin-config/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { notifyListeners } from '../postgres/notify-listeners.ts';
import type { Database } from '../postgres/database.ts';
import { postgresWakeUps } from './postgres-wake-ups.ts';

const withEmptied = databaseOfFile();

const LISTENING = `select pid from pg_stat_activity where query like 'listen %' and datname = current_database()`;

describe('wake-ups on PostgreSQL', () => {
  wakeUpsContract((name, run) => test(name, () => withEmptied((database) => run(portsOf(database)))));
});

describe('wake-ups without a connection', () => {
  wakeUpsContract((name, run) =>
    test(name, () =>
      withEmptied((database) =>
        run(portsOf(database, { openConnection: () => Promise.reject(new Error('rejected')), pollMs: 20 })),
      ),
    ),
  );
});

test('a listener is only notified of committed changes of its id, never before the commit or after a rollback', () =>
  withEmptied(async (database) => {
    const { wakeUps, notify } = portsOf(database);
    const calls = { own: 0, other: 0 };
    wakeUps.listen(1, () => void (calls.own += 1));
    wakeUps.listen(2, () => void (calls.other += 1));
    await expect.poll(() => wakeUps.isLive).toBe(true);
    const before = { ...calls };
    for (const end of ['rollback', 'commit']) {
      const client = await database.openConnection();
      await client.query('begin');
      await client.query(`select ${notifyListeners(`'{1}'::bigint[]`)}`);
      const others = calls.other;
      await notify([2]);
      await expect.poll(() => calls.other).toBe(others + 1);
      expect(calls.own).toBe(before.own);
      await client.query(end);
      await client.end();
    }
    await expect.poll(() => calls.own).toBe(before.own + 1);
  }));

test('all listeners share one connection, which is closed with the last listener', () =>
  withEmptied(async (database) => {
    const { wakeUps } = portsOf(database, { pollMs: 50 });
    // The session of the previous test ends some time after its client.
    await expect.poll(() => listeningSessions(database)).toHaveLength(0);
    const ends = Array.from({ length: 20 }, (_, id) => wakeUps.listen(id, () => undefined));
    await expect.poll(() => wakeUps.isLive).toBe(true);
    expect(await listeningSessions(database)).toHaveLength(1);
    for (const end of ends) end();
    await expect.poll(() => listeningSessions(database)).toHaveLength(0);
    expect(wakeUps.isLive).toBe(false);
  }));

test('listeners are polled while the connection is lost, and notified at once when it is back', () =>
  withEmptied(async (database) => {
    let fail = false;
    const openConnection = () => (fail ? Promise.reject(new Error('rejected')) : database.openConnection());
    const { wakeUps, notify } = portsOf(database, { openConnection, pollMs: 50 });
    let calls = 0;
    wakeUps.listen(1, () => void (calls += 1));
    await expect.poll(() => wakeUps.isLive).toBe(true);
    fail = true;
    for (const pid of await listeningSessions(database)) {
      await database.pool.query('select pg_terminate_backend($1)', [pid]);
    }
    await expect.poll(() => wakeUps.isLive).toBe(false);
    const lost = calls;
    await expect.poll(() => calls).toBeGreaterThan(lost + 2);
    fail = false;
    await expect.poll(() => wakeUps.isLive).toBe(true);
    const live = calls;
    await notify([1]);
    await expect.poll(() => calls).toBe(live + 1);
  }));

test('a connection that does not respond counts as lost', () =>
  withEmptied(async (database) => {
    let opened = 0;
    const openConnection = async () => {
      opened += 1;
      const client = await database.openConnection();
      const query = client.query.bind(client) as (config: unknown) => Promise<unknown>;
      let sent = 0;
      const respond = (config: unknown) =>
        sent++ === 0 ? query(config) : Promise.reject(new Error('timed out'));
      return Object.assign(client, { query: respond });
    };
    const { wakeUps } = portsOf(database, { openConnection, pollMs: 50 });
    wakeUps.listen(1, () => undefined);
    await expect.poll(() => opened).toBeGreaterThan(1);
  }));

function portsOf(
  database: Database,
  { pollMs, ...changed }: Partial<Pick<Database, 'openConnection'>> & { readonly pollMs?: number } = {},
): WakeUpPorts & { readonly wakeUps: ReturnType<typeof postgresWakeUps> } {
  const wakeUps = postgresWakeUps({ ...database, ...changed }, { ...(pollMs !== undefined && { pollMs }) });
  onTestFinished(() => wakeUps.close());
  return {
    wakeUps,
    notify: async (ids) => {
      await database.pool.query(`select ${notifyListeners('$1::bigint[]')}`, [ids]);
    },
  };
}

async function listeningSessions({ pool }: Database): Promise<readonly number[]> {
  return (await pool.query<{ pid: number }>(LISTENING)).rows.map(({ pid }) => pid);
}
