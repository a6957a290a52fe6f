import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aFamily, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, type EncryptedDatabase } from './configuration/encrypted-database.ts';
import { isWritable } from './postgres/is-writable.ts';
import { movingAddress } from './testing/moving-address.ts';
import { postgresPorts } from './postgres-ports.ts';
import {
  replicatedServersOfFile,
  type ReplicatedServer,
  type ReplicatedServers,
} from './testing/replicated-servers.ts';
import { TEST_KEYS } from './testing/test-keys.ts';

const UNAVAILABLE = { code: 'unavailable', retryAfterSeconds: 2 };
const SLOW = { timeout: 90_000 };
/** The longest time from a promotion to the first response. */
const BACK_WITHIN = { timeout: 20_000, interval: 50 };

const startServers = replicatedServersOfFile();

async function servers(...options: Parameters<typeof startServers>) {
  const started = await startServers(...options);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function opened(url: string, statementTimeoutMs = 4_000): Promise<EncryptedDatabase> {
  const database = openDatabase({ url, poolSize: 5, statementTimeoutMs, masterKeys: TEST_KEYS });
  onTestFinished(() => database.close());
  return database;
}

/** Creates a record, and waits until the standby has it. */
async function using(database: EncryptedDatabase, { standby }: Pick<ReplicatedServers, 'standby'>) {
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

/** Waits until the standby is a primary. */
async function promoted({ promote, standby }: ReplicatedServers): Promise<void> {
  await promote();
  await vi.waitFor(
    async () =>
      expect(await standby.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }]),
    BACK_WITHIN,
  );
}

test(
  'after the primary is killed and the standby promoted, the pool connects to the new primary',
  SLOW,
  async () => {
    const both = await servers();
    const { primary, standby } = both;
    const address = await movingAddress(primary.url);
    const database = await opened(address.url);
    const onFailover = vi.fn<(timeline: number) => void>();
    database.primary.onFailover(onFailover);
    const { find, rename } = await using(database, both);
    expect(database.primary).toMatchObject({ failovers: 0 });
    const { timeline } = database.primary;
    const listening = await database.openConnection();
    const ended = new Promise<void>((resolve) => listening.on('end', () => resolve()));
    await primary.kill();
    for (const _ of [1, 2]) await expect(find()).rejects.toMatchObject(UNAVAILABLE);
    await ended;
    address.moveTo(standby.url);
    await promoted(both);
    await vi.waitFor(() => rename('New'), BACK_WITHIN);
    expect((await find()).value).toMatchObject({ name: 'New' });
    expect([database.primary.failovers, timeline.ended.aborted]).toEqual([1, true]);
    expect(onFailover.mock.calls).toEqual([[2]]);
  },
);

test(
  'after a failover that lost commits, results have a lower family version, and belong to another timeline',
  SLOW,
  async () => {
    const both = await servers({ isSynchronous: false });
    const { primary, standby, cutOff } = both;
    const address = await movingAddress(primary.url);
    const database = await opened(address.url);
    const { find, rename, record } = await using(database, both);
    await cutOff();
    await rename('Lost');
    const lost = await find();
    const { timeline } = database.primary;
    await primary.kill();
    address.moveTo(standby.url);
    await promoted(both);
    const found = await vi.waitFor(find, BACK_WITHIN);
    expect(found.value).toEqual(record);
    expect(found.familyVersion).toBeLessThan(lost.familyVersion);
    expect(timeline.ended.aborted).toBe(true);
    expect(database.primary.timeline.id).not.toBe(timeline.id);
    await primary.start();
    await standby.kill();
    address.moveTo(primary.url);
    for (const _ of [1, 2, 3]) await expect(find()).rejects.toMatchObject(UNAVAILABLE);
    const message = 'The database server is a primary from before the failover.';
    await vi.waitFor(() => expect(find()).rejects.toMatchObject({ cause: { message } }), BACK_WITHIN);
  },
);

test(
  'all connections leave a frozen primary for the promoted standby',
  { ...SLOW, tags: ['long'] },
  async () => {
    const both = await servers();
    const address = await movingAddress(both.primary.url);
    const database = await opened(address.url);
    const { find, record } = await using(database, both);
    await Promise.all(Array.from({ length: 5 }, find));
    const goOn = await both.primary.freeze();
    try {
      const stuck = Promise.allSettled(Array.from({ length: 20 }, find));
      address.moveTo(both.standby.url);
      await promoted(both);
      await vi.waitFor(async () => expect((await find()).value).toEqual(record), BACK_WITHIN);
      for (const { status } of await stuck) expect(status).toBe('rejected');
      expect(database.primary).toMatchObject({ failovers: 1 });
    } finally {
      goOn();
    }
  },
);

test('all connections leave a primary that becomes read-only', SLOW, async () => {
  const both = await servers();
  const { primary, standby } = both;
  const address = await movingAddress(primary.url);
  const database = await opened(address.url);
  const { find, rename } = await using(database, both);
  const onAll = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 5 }, work));
  await onAll(find);
  await primary.query('alter system set default_transaction_read_only = on');
  await primary.query('select pg_reload_conf()');
  await vi.waitFor(() => onAll(async () => expect(await isWritable(database)).toBe(false)), BACK_WITHIN);
  await promoted(both);
  address.moveTo(standby.url);
  await expect(rename('Rejected')).rejects.toMatchObject(UNAVAILABLE);
  await vi.waitFor(find, BACK_WITHIN);
  expect(await isWritable(database)).toBe(true);
  expect(await rename('New')).toMatchObject({ name: 'New' });
  expect(database.primary).toMatchObject({ failovers: 1 });
});

test('a new server behind the same address ends the connections to the old one', SLOW, async () => {
  const both = await servers({ isSynchronous: false });
  const { primary, standby } = both;
  const address = await movingAddress(primary.url);
  const database = await opened(address.url);
  const { find, rename, record } = await using(database, both);
  await promoted(both);
  await rename('On the old primary');
  const { timeline } = database.primary;
  address.moveTo(standby.url);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, find));
  expect(outcomes.map(({ status }) => status)).toContain('fulfilled');
  const found = await find();
  expect(found.value).toEqual(record);
  expect([database.primary.failovers, timeline.ended.aborted]).toEqual([1, true]);
  address.moveTo(primary.url);
  await database.pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  await expect(Promise.all(Array.from({ length: 5 }, find))).rejects.toMatchObject(UNAVAILABLE);
});

test('a process does not follow a server that was promoted separately', SLOW, async () => {
  const both = await servers({ isSynchronous: false });
  const { primary, standby } = both;
  const address = await movingAddress(primary.url);
  const database = await opened(address.url);
  const { find, record } = await using(database, both);
  await primary.kill();
  await promoted(both);
  address.moveTo(standby.url);
  expect((await vi.waitFor(find, BACK_WITHIN)).value).toEqual(record);
  const { timeline } = database.primary;
  await promoteApart(primary);
  address.moveTo(primary.url);
  await standby.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and backend_type = 'client backend'`);
  const message = expect.stringContaining(
    'was promoted to the same timeline number as the primary, but separately',
  );
  await vi.waitFor(() => expect(find()).rejects.toMatchObject({ cause: { message } }), BACK_WITHIN);
  address.moveTo(standby.url);
  await vi.waitFor(find, BACK_WITHIN);
  expect([database.primary.timeline === timeline, timeline.ended.aborted]).toEqual([true, false]);
});

/** Restarts a killed server, and promotes it like a standby. */
async function promoteApart(server: ReplicatedServer): Promise<void> {
  await writeFile(join(server.cluster, 'standby.signal'), '');
  await server.start();
  await server.query('select case when pg_is_in_recovery() then pg_promote() end');
}
