import { setTimeout as sleep } from 'node:timers/promises';
import {
  DAY_MS,
  ingest,
  type ConfigRecord,
  type IngestionStores,
  type LogPosition,
} from '@plugin-config/domain';
import { openDatabase } from '@plugin-config/persistence';
import { startOwnServer, TEST_KEYS } from '@plugin-config/persistence/testing';
import { logPortsOf } from '@plugin-config/persistence/testing/ports';
import { aFamily, anEntry, aRecord, streaming, type LogPorts } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { clickHouseLog } from '../index.ts';
import { withClickHouse, withSharedLog } from '../testing/clickhouse-ports.fixture.ts';

/** The places at which a batch may stop: before this step of it. */
const STEPS = ['append', 'announce', 'report', 'commit'] as const;
type Step = (typeof STEPS)[number];

/** How long a batch stands still unless something else lets it go on. */
const SOON_MS = 300;

const withPorts = withSharedLog();

/** A batch that stops before a step, until it is told to go on or to fail. */
interface Halted {
  readonly stores: IngestionStores;
  /** Resolves when the batch has stopped. */
  readonly stopped: Promise<void>;
  readonly goOn: () => void;
  readonly fail: () => void;
}

function haltedBefore(step: Step, { stores }: Pick<LogPorts, 'stores'>): Halted {
  const stopped = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  told.promise.catch(() => undefined);
  const halt = async (here: Step): Promise<void> => {
    if (here !== step) return;
    stopped.resolve();
    await told.promise;
  };
  return {
    stores: {
      withBatch: (work) =>
        stores.withBatch(async (batch) => {
          const { log, arrivals, reports } = batch;
          const result = await work({
            ...batch,
            log: { ...log, append: (entries) => halt('append').then(() => log.append(entries)) },
            arrivals: {
              add: (entries, outcomes) => halt('announce').then(() => arrivals.add(entries, outcomes)),
            },
            reports: { store: (given) => halt('report').then(() => reports.store(given)) },
          });
          await halt('commit');
          return result;
        }),
    },
    stopped: stopped.promise,
    goOn: () => told.resolve(),
    fail: () => told.reject(new Error('killed')),
  };
}

async function aFollowedLog(ports: LogPorts): Promise<{ record: ConfigRecord; start: LogPosition }> {
  const record = await aRecord(ports, await aFamily(ports));
  const [start] = await ports.arrivals.follow([record]);
  return { record, start: start ?? { lineage: '0', epoch: 0, number: 0 } };
}

async function arrived({ arrivals }: LogPorts, record: ConfigRecord, start: LogPosition) {
  return (await arrivals.after(record, start))?.map(({ id }) => id).toSorted();
}

const sortedIds = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id).toSorted();

for (const step of STEPS) {
  test(`a batch that fails before the step "${step}" is announced by its repetition, once`, () =>
    withPorts(async (ports) => {
      const { record, start } = await aFollowedLog(ports);
      const entries = [anEntry(record), anEntry(record)];
      const first = haltedBefore(step, ports);
      const failing = ingest(first, entries);
      first.fail();
      await expect(failing).rejects.toThrow('killed');
      expect(await arrived(ports, record, start)).toEqual([]);
      for (let delivered = 0; delivered < 3; delivered++) {
        await ingest(ports, entries);
        expect(await arrived(ports, record, start)).toEqual(sortedIds(entries));
      }
    }));

  test(`a batch that is repeated while it stands before the step "${step}" is announced once, whether it goes on or fails`, () =>
    withPorts(async (ports) => {
      for (const end of ['goOn', 'fail'] as const) {
        const { record, start } = await aFollowedLog(ports);
        const entries = [anEntry(record), anEntry(record), anEntry(record)];
        const first = haltedBefore(step, ports);
        const slow = ingest(first, entries).catch(() => null);
        await first.stopped;
        const repeated = ingest(ports, entries.slice(0, 2));
        if (step === 'append' || step === 'announce') await repeated;
        first[end]();
        await Promise.all([slow, repeated]);
        const expected = end === 'goOn' ? entries : entries.slice(0, 2);
        expect(await arrived(ports, record, start)).toEqual(sortedIds(expected));
        await ingest(ports, entries);
        expect(await arrived(ports, record, start)).toEqual(sortedIds(entries));
      }
    }));
}

test('an entry that a batch has stored and announces later is in the tail of a stream, and not in it again', () =>
  withPorts(async (ports, { postgres, clickHouse }) => {
    const { record } = await aFollowedLog(ports);
    const entry = anEntry(record);
    const batch = haltedBefore('announce', ports);
    let storing: Promise<unknown> = Promise.resolve();
    const log = clickHouseLog({ clickHouse });
    const toldArrivals = Promise.withResolvers<void>();
    const newestKeys: typeof log.newestKeys = async (...question) => {
      storing = ingest(batch, [entry]);
      await batch.stopped;
      const keys = await log.newestKeys(...question);
      void Promise.race([toldArrivals.promise, sleep(SOON_MS)]).then(batch.goOn);
      return keys;
    };
    const after: typeof ports.arrivals.after = (...question) =>
      ports.arrivals.after(...question).finally(toldArrivals.resolve);
    const { reader } = await streaming({
      ...logPortsOf(postgres, { ...log, newestKeys }),
      arrivals: { ...ports.arrivals, after },
    }).open(record, { tail: 9 });
    await storing;
    const last = anEntry(record);
    await ingest(ports, [last]);
    expect(await reader.take(2)).toEqual([entry.id, last.id]);
  }));

test('an entry whose batch failed while nobody followed its log, and whose insert was done later, is announced by its repetition, once', () =>
  withPorts(async (ports, { postgres, clickHouse }) => {
    const record = await aRecord(ports, await aFamily(ports));
    const entry = anEntry(record);
    const log = clickHouseLog({ clickHouse });
    const inserted = Promise.withResolvers<() => Promise<unknown>>();
    const append: typeof log.append = async (...given) => {
      inserted.resolve(() => log.append(...given));
      throw new Error('The insert hangs.');
    };
    await expect(ingest(logPortsOf(postgres, { ...log, append }), [entry])).rejects.toThrow(
      'The insert hangs.',
    );
    const [start] = await ports.arrivals.follow([record]);
    const insert = await inserted.promise;
    await insert();
    for (let delivered = 0; delivered < 2; delivered++) {
      await ingest(ports, [entry]);
      expect(start && (await arrived(ports, record, start))).toEqual([entry.id]);
    }
  }));

test('an entry that was announced is not announced again when its arrival is no longer kept', () =>
  withPorts(async (ports) => {
    const { record } = await aFollowedLog(ports);
    const entries = [anEntry(record), anEntry(record)];
    await ingest(ports, entries);
    for await (const _ of ports.retention.arrivals(0));
    const [now] = await ports.arrivals.follow([record]);
    expect(await ingest(ports, entries)).toEqual(['duplicate', 'duplicate']);
    expect(await ports.arrivals.follow([record])).toEqual([now]);
  }));

test('an announcement is forgotten with the days of its entries', () =>
  withPorts(async (ports, { postgres }) => {
    const { record } = await aFollowedLog(ports);
    await ingest(ports, [anEntry(record, { timestamp: Date.now() })]);
    await ingest(ports, [anEntry(record, { timestamp: Date.now() - 9 * DAY_MS })]);
    const announced = () =>
      postgres.pool.query(
        `select round(extract(epoch from now()) / 86400 - (id >> 21) / 86400000.0)::int as age from log_announcement order by 1`,
      );
    await postgres.pool.query(
      `insert into log_announcement select ((extract(epoch from now()) * 1000)::bigint - days * 86400000) << 21
      from unnest(array[8, 12, 13]) days`,
    );
    await ports.upkeep.dropOverdue(7);
    expect((await announced()).rows.map(({ age }) => age)).toEqual([0, 0, 8]);
  }));

test(
  'a batch whose PostgreSQL is killed before its commit is announced by its repetition, once',
  { tags: ['long'] },
  () =>
    withClickHouse(async (clickHouse) => {
      await using server = await startOwnServer();
      const database = openDatabase({ url: server.url, poolSize: 4, masterKeys: TEST_KEYS });
      try {
        const ports = logPortsOf(database, clickHouseLog({ clickHouse, searchTimeoutMs: 20_000 }));
        for (const step of STEPS) {
          const { record, start } = await aFollowedLog(ports);
          const entries = [anEntry(record), anEntry(record)];
          const first = haltedBefore(step, ports);
          const killed = ingest(first, entries).catch(() => null);
          await first.stopped;
          await server.kill();
          await server.start();
          first.goOn();
          await killed;
          await expect.poll(() => ingest(ports, entries).catch(() => null)).not.toBeNull();
          expect(await arrived(ports, record, start)).toEqual(sortedIds(entries));
          await ingest(ports, entries);
          expect(await arrived(ports, record, start)).toEqual(sortedIds(entries));
        }
      } finally {
        await database.close();
      }
    }),
);
