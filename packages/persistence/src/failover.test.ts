import { aFamily, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from './postgres/database.ts';
import type { Failover } from './postgres/primary.ts';
import { migrate } from './schema/migrate.ts';
import { openDatabase } from './postgres/database.ts';
import { movingAddress } from './testing/moving-address.ts';
import { postgresPorts } from './postgres-ports.ts';
import { replicatedServersOfFile, type ReplicatedServers } from './testing/replicated-servers.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 2 };
const SLOW = { timeout: 90_000 };
/** The longest time from a promotion to the first answer. */
const BACK_WITHIN = { timeout: 20_000, interval: 50 };

const startServers = replicatedServersOfFile();

async function servers(...options: Parameters<typeof startServers>) {
  const started = await startServers(...options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function opened(url: string, statementTimeoutMs = 4_000): Promise<Database> {
  const database = openDatabase({ url, poolSize: 5, statementTimeoutMs });
  onTestFinished(() => database.close());
  return database;
}

const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;

/** Uses a record of its own, of which the standby knows. */
async function using(database: Database, { standby }: Pick<ReplicatedServers, 'standby'>) {
  const ports = postgresPorts(database);
  const record = await aRecord(ports, await aFamily(ports));
  await vi.waitFor(
    async () =>
      expect(await standby.query(`select from config_record where id = ${record.id}`)).toHaveLength(1),
    BACK_WITHIN,
  );
  const rename = (name: string) => ports.records.save(aRecordWrite(record, { name }));
  return { ports, record, rename, find: () => ports.records.find(record) };
}

test('when the primary is killed and the standby promoted, the pool leads there', SLOW, async () => {
  const both = await servers();
  const { url, primary, promote, standby } = both;
  expect(await migrate(url)).toEqual([]);
  const database = await opened(url);
  const told = vi.fn<(failover: Failover) => void>();
  database.primary.onFailover(told);
  const { find, rename } = await using(database, both);
  expect(database.primary).toMatchObject({ host: hostOf(primary), generation: 0, failovers: 0 });
  const listening = await database.openConnection();
  const ended = new Promise<void>((resolve) => listening.on('end', () => resolve()));
  await primary.kill();
  for (const _ of [1, 2]) await expect(find()).rejects.toMatchObject(UNAVAILABLE);
  await ended;
  expect(database.primary.host).toBeNull();
  await promote();
  await vi.waitFor(() => rename('New'), BACK_WITHIN);
  expect((await find()).value).toMatchObject({ name: 'New' });
  expect(database.primary).toMatchObject({ host: hostOf(standby), generation: 1, failovers: 1 });
  expect(told.mock.calls).toEqual([[{ from: hostOf(primary), to: hostOf(standby), timeline: 2 }]]);
});

test('after a failover that lost commits, answers with a lower revision are fresher', SLOW, async () => {
  const both = await servers({ isSynchronous: false });
  const { url, primary, promote, standby, cutOff } = both;
  const database = await opened(url);
  const { find, rename, record } = await using(database, both);
  await cutOff();
  await rename('Lost');
  const lost = await find();
  await primary.kill();
  await promote();
  const found = await vi.waitFor(find, BACK_WITHIN);
  expect(found.value).toEqual(record);
  expect(found.revision).toBeLessThan(lost.revision);
  expect(found.freshness).toBeGreaterThan(lost.freshness);
  await primary.start();
  await standby.kill();
  for (const _ of [1, 2, 3]) await expect(find()).rejects.toMatchObject(UNAVAILABLE);
  const reason = expect.stringContaining(`${hostOf(primary)} is a primary from before the failover`);
  await vi.waitFor(() => expect(find()).rejects.toMatchObject({ cause: { message: reason } }), BACK_WITHIN);
});

test('a frozen primary is left for the promoted standby', SLOW, async () => {
  const both = await servers();
  const database = await opened(both.url);
  const { find, record } = await using(database, both);
  await Promise.all(Array.from({ length: 5 }, find));
  const goOn = await both.primary.freeze();
  try {
    const stuck = Promise.allSettled(Array.from({ length: 20 }, find));
    await both.promote();
    await vi.waitFor(async () => expect((await find()).value).toEqual(record), BACK_WITHIN);
    for (const { status } of await stuck) expect(status).toBe('rejected');
    expect(database.primary.host).toBe(hostOf(both.standby));
  } finally {
    goOn();
  }
});

test('a primary that became read-only is left for another one', SLOW, async () => {
  const both = await servers();
  const { primary, standby, promote } = both;
  const database = await opened(both.url);
  const { find, rename } = await using(database, both);
  await primary.query('alter system set default_transaction_read_only = on');
  await primary.query('select pg_reload_conf()');
  await vi.waitFor(() => expect(rename('x')).rejects.toMatchObject(UNAVAILABLE), BACK_WITHIN);
  await expect(find()).rejects.toMatchObject(UNAVAILABLE);
  await promote();
  await vi.waitFor(() => rename('New'), BACK_WITHIN);
  expect(database.primary.host).toBe(hostOf(standby));
});

test('a new server behind the same address ends the connections to the old one', SLOW, async () => {
  const both = await servers({ isSynchronous: false });
  const { primary, standby, promote } = both;
  const address = await movingAddress(primary.url);
  const database = await opened(address.url);
  const { find, rename, record } = await using(database, both);
  await promote();
  await vi.waitFor(
    async () =>
      expect(await standby.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }]),
    BACK_WITHIN,
  );
  await rename('On the old primary');
  const old = await find();
  address.moveTo(standby.url);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, find));
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  const found = await find();
  expect(found.value).toEqual(record);
  expect(found.freshness).toBeGreaterThan(old.freshness);
  expect(database.primary).toMatchObject({ generation: 1, failovers: 1 });
  address.moveTo(primary.url);
  await database.pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  await expect(Promise.all(Array.from({ length: 5 }, find))).rejects.toMatchObject(UNAVAILABLE);
});
