/** @module-tag long */

import { DAY_MS, ingest, startOfDay, type EntryMessage, type LogFilter } from '@plugin-config/domain';
import { anEntry, EVERY } from '@plugin-config/testing';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createClickHouseTestBed } from '../testing/clickhouse-test-bed.ts';
import { runLogTask } from './run-log-task.ts';

/** The archiver runs once a minute. */
const MINUTES = 3 * 60;
const TODAY = startOfDay(Date.now());
const ARCHIVED = TODAY - 4 * DAY_MS;
const ENDED = TODAY - 2 * DAY_MS;

test(
  'while ClickHouse is down for hours, only archived days are affected, and the archiver catches up once it is back',
  { timeout: 600_000 },
  async () => {
    await using testBed = await createClickHouseTestBed();
    const { bed, server, logs, stores, upkeep } = testBed;
    const work = { kind: 'logs', projectId: 0, accountId: null, key: 0, payload: null } as const;
    const task = { ...work, id: 1, attempts: 1 };
    const entryAt = (timestamp: number) => anEntry(bed.record, { timestamp });
    const runArchiver = () =>
      runLogTask({ upkeep, hotDays: 1, logger: pino({ level: 'silent' }) })(
        task,
        new AbortController().signal,
      );
    const stored: EntryMessage[] = [];
    const store = async (...entries: readonly EntryMessage[]): Promise<void> => {
      expect(await ingest({ stores }, entries)).toEqual(entries.map(() => 'stored'));
      stored.push(...entries);
    };
    const expectPage = async (filter: Partial<LogFilter>, limit: number): Promise<void> => {
      const after = filter.after?.getTime() ?? -Infinity;
      const found = stored
        .filter(({ timestamp }) => timestamp > after)
        .toSorted((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1));
      const { count, items } = await logs.page(bed.record, { ...EVERY, ...filter }, { limit, offset: 0 });
      expect([count, ...items.map(({ id }) => id)]).toEqual([
        found.length,
        ...found.slice(0, limit).map(({ id }) => id),
      ]);
    };

    /** The lock of a failed run ends with its connection. */
    const locks = () =>
      bed.rows(`select from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and a.datname = current_database()`);

    await store(...Array.from({ length: 200 }, (_, i) => entryAt(ARCHIVED + i)));
    await runArchiver();
    await store(entryAt(ENDED));
    await server.kill();
    const late = entryAt(ARCHIVED + 300);
    for (let minute = 1; minute <= MINUTES; minute++) {
      await expect(runArchiver()).rejects.toMatchObject({ code: 'unavailable' });
      await expect.poll(locks, { interval: 5 }).toEqual([]);
      await store(entryAt(TODAY + minute), entryAt(ENDED + minute));
      if (minute % 30 !== 0) continue;
      await expectPage({ after: new Date(ENDED - 1) }, 100);
      await expectPage({}, 50);
      await expect(logs.page(bed.record, EVERY, { limit: 1000, offset: 0 })).rejects.toMatchObject({
        code: 'unavailable',
      });
      expect(await ingest({ stores }, [late])).toEqual(['unavailable']);
    }
    await server.start();
    await store(late);
    await runArchiver();
    expect(await upkeep.unmoved(1)).toBe(0);
    await expectPage({}, 1000);
  },
);
