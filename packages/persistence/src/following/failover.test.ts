import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  familyFeeds,
  familyStream,
  ingest,
  logFeeds,
  logStream,
  startLogStream,
  type ConfigRecord,
  type FamilyStep,
  type LogStep,
} from '@plugin-config/domain';
import { deadline, type Timer } from '@plugin-config/flow';
import { aFamily, anEntry, aRecord, aRecordWrite, type LogPorts } from '@plugin-config/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { openDatabase } from '../index.ts';
import { movingAddress } from '../testing/moving-address.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { replicatedServersOfFile, type ReplicatedServer } from '../testing/replicated-servers.ts';
import { TEST_KEYS } from '../testing/test-keys.ts';

const startServers = replicatedServersOfFile();
const SLOW = { timeout: 90_000 };
const BACK_WITHIN = { timeout: 20_000, interval: 50 };
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

const timer: Timer = (work, afterMs) => {
  const timeout = setTimeout(work, afterMs);
  return () => clearTimeout(timeout);
};
const turn = () => Promise.resolve();
const now = () => performance.now();
const warn = (error: unknown): never => {
  throw error;
};

test(
  'after a failover that lost commits, open streams are reset even if the new primary has higher versions',
  SLOW,
  async () => {
    const { primary, standby, cutOff, promote } = await servers();
    const address = await movingAddress(primary.url);
    const [database, ports] = await opened(address.url);
    const record = await aRecord(ports, await aFamily(ports));
    const streams = await following(database, record);
    const [first, start] = await Promise.all([streams.family.next(), streams.log.next()]);
    await vi.waitFor(
      async () => expect(await standby.query('select from log_follow')).toHaveLength(1),
      BACK_WITHIN,
    );
    await cutOff();
    await changes(ports, record, 1);
    await ingest(ports, [anEntry(record)]);
    const lost = [await streams.family.next(), await streams.log.next()];
    expect(lost).toMatchObject([
      { value: { changes: [{ record: { version: 2 } }] } },
      { value: { entries: [{ entry: {} }] } },
    ]);

    await primary.kill();
    await promote();
    await vi.waitFor(
      async () => expect(await standby.query('select pg_is_in_recovery() as is')).toEqual([{ is: false }]),
      BACK_WITHIN,
    );
    const [, elsewhere] = await opened(standby.url);
    await changes(elsewhere, record, 5);
    await ingest(
      elsewhere,
      Array.from({ length: 5 }, () => anEntry(record)),
    );
    address.moveTo(standby.url);
    const reset = await Promise.all([streams.family.next(), streams.log.next()]);
    expect(reset).toMatchObject([
      { value: { reset: 'unknown_cursor' } },
      { value: { reset: 'unknown_cursor' } },
    ]);

    const resumed = await following(database, record, {
      family: lost[0]?.value?.cursor ?? first.value?.cursor ?? '',
      log: lost[1]?.value?.cursor ?? start.value?.cursor ?? '',
    });
    expect(await Promise.all([resumed.family.next(), resumed.log.next()])).toMatchObject([
      { value: { reset: 'unknown_cursor' } },
      { value: { reset: 'unknown_cursor' } },
    ]);
    await changes(ports, record, 1);
    const last = anEntry(record);
    await ingest(ports, [last]);
    expect(await Promise.all([streams.family.next(), streams.log.next()])).toMatchObject([
      { value: { changes: [{ record: { version: 7 } }] } },
      { value: { entries: [{ entry: { id: last.id } }] } },
    ]);

    const { timeline } = database.primary;
    await promoteApart(primary);
    address.moveTo(primary.url);
    await standby.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
    and backend_type = 'client backend'`);
    const message = expect.stringContaining(
      'was promoted to the same timeline number as the primary, but separately',
    );
    await vi.waitFor(
      () => expect(ports.records.find(record)).rejects.toMatchObject({ cause: { message } }),
      BACK_WITHIN,
    );
    address.moveTo(standby.url);
    await vi.waitFor(() => ports.records.find(record), BACK_WITHIN);
    expect([database.primary.timeline === timeline, timeline.ended.aborted]).toEqual([true, false]);
  },
);

async function servers() {
  const started = await startServers({ isSynchronous: false });
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

async function opened(url: string): Promise<readonly [EncryptedDatabase, LogPorts]> {
  const database = openDatabase({ url, poolSize: 5, statementTimeoutMs: 4_000, masterKeys: TEST_KEYS });
  onTestFinished(() => database.close());
  return [database, logPortsOf(database)];
}

/** Follows the family of a record and its log like a process. */
async function following(
  database: EncryptedDatabase,
  record: ConfigRecord,
  cursors: { readonly family: string | null; readonly log: string | null } = { family: null, log: null },
): Promise<{
  readonly family: AsyncGenerator<FamilyStep, void>;
  readonly log: AsyncGenerator<LogStep, void>;
}> {
  const { changes: of, sequence, logs: log, wakeUps, records } = logPortsOf(database);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const { signal } = ending;
  const { timelineId, familyVersion, registryVersion } = await records.find(record);
  const request = { record, filter: EVERY, tail: 0, cursor: cursors.log, deadline: deadline(60_000, now) };
  const feeds = logFeeds({ sequence, log, wakeUps, turn, timer, now, warn });
  return {
    family: familyStream(
      { feeds: familyFeeds({ changes: of, turn, timer, now, warn }) },
      { family: { ...record, timelineId, familyVersion, registryVersion }, cursor: cursors.family },
      signal,
    ),
    log: logStream({ log, feeds, timer }, await startLogStream({ sequence, log }, request), signal),
  };
}

async function changes({ records }: LogPorts, record: ConfigRecord, count: number): Promise<void> {
  for (let change = 0; change < count; change++) {
    const { value } = await records.find(record);
    if (value !== null) await records.save(aRecordWrite(value, { name: `Change ${change}` }));
  }
}

/** Restarts a killed server, and promotes it like a standby. */
async function promoteApart(server: ReplicatedServer): Promise<void> {
  await writeFile(join(server.cluster, 'standby.signal'), '');
  await server.start();
  await server.query('select case when pg_is_in_recovery() then pg_promote() end');
}
