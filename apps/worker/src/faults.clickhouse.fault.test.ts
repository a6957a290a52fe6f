/** @module-tag long */

import { DAY_MS, startOfDay, type LogEntryStore } from '@plugin-config/domain';
import { until } from '@plugin-config/server/testing';
import { EVERY } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { push } from './testing/test-bed.ts';
import { createClickHouseTestBed } from './testing/clickhouse-test-bed.ts';
import { anEntry, ndjson } from './testing/entries.ts';

const ENTRIES = propertyRuns(20_000);
const PAGE = 1000;
const TIMEOUT_MS = propertyTimeout(300_000);
/** Longer than the interval of the archiver, which is a minute. */
const WITHIN_MS = 100_000;
const OLD = startOfDay(Date.now()) - 4 * DAY_MS;

const at = (time: number) => ({ timestamp: new Date(time).toISOString() });

/** Returns the ids of all listed entries, page by page, and the counts on the pages. */
async function listed(
  logs: Pick<LogEntryStore, 'page'>,
  record: { readonly projectId: number; readonly id: number },
): Promise<{ readonly ids: readonly string[]; readonly counts: ReadonlySet<number> }> {
  const ids: string[] = [];
  const counts = new Set<number>();
  for (;;) {
    const { count, items } = await logs.page(record, EVERY, { limit: PAGE, offset: ids.length });
    counts.add(count);
    ids.push(...items.map(({ id }) => id));
    if (items.length === 0) return { ids, counts };
  }
}

test(
  'no entry is lost or listed twice if workers and ClickHouse are killed while days are archived',
  async () => {
    await using testBed = await createClickHouseTestBed();
    const { bed, server, logs, serve } = testBed;
    const entries = Array.from({ length: ENTRIES }, (_, i) =>
      anEntry(bed.record.id, at(OLD + (i % 3) * DAY_MS + i)),
    );
    const send = async (url: string, from: number, to: number): Promise<void> => {
      const { status } = await push(url, ndjson(entries.slice(from, to)), { token: bed.token });
      expect(status).toBe(200);
    };
    const half = ENTRIES / 2;
    {
      // Without ClickHouse, no day is archived yet.
      using first = await bed.serve();
      for (let from = 0; from < half; from += PAGE) await send(first.url, from, from + PAGE);
    }
    const expected = (to: number) => new Set(entries.slice(0, to).map(({ id }) => id));
    for (let kill = 0; kill < 4; kill++) {
      using _ = await serve();
      await new Promise((resolve) => setTimeout(resolve, 40 * 4 ** kill));
      if (kill % 2 === 0) {
        await server.kill();
        await server.start();
      }
      const { ids, counts } = await listed(logs, bed.record);
      expect([...counts, ids.length]).toEqual([half, half]);
      expect(new Set(ids)).toEqual(expected(half));
    }
    const inPostgres = () => bed.rows('select from log_day where in_postgres');
    {
      using worker = await serve();
      await until(async () => (await inPostgres()).length === 0, WITHIN_MS);
      for (let from = half; from < ENTRIES; from += PAGE) await send(worker.url, from, from + PAGE);
      await send(worker.url, 0, PAGE);
      expect(await inPostgres()).toHaveLength(3);
      const { ids, counts } = await listed(logs, bed.record);
      expect([...counts, ids.length]).toEqual([ENTRIES, ENTRIES]);
      expect(new Set(ids)).toEqual(expected(ENTRIES));
    }
    using _ = await serve();
    await until(async () => (await inPostgres()).length === 0, WITHIN_MS);
    const { ids, counts } = await listed(logs, bed.record);
    expect([...counts, ids.length]).toEqual([ENTRIES, ENTRIES]);
    expect(new Set(ids)).toEqual(expected(ENTRIES));
  },
  TIMEOUT_MS,
);

test(
  'without ClickHouse, a worker starts and stores recent entries, and only senders of late entries must retry',
  async () => {
    await using testBed = await createClickHouseTestBed();
    const { bed, server, serve } = testBed;
    const send = (url: string, ...times: readonly number[]) =>
      push(url, ndjson(times.map((time) => anEntry(bed.record.id, at(time)))), { token: bed.token });
    {
      using worker = await serve();
      expect((await send(worker.url, OLD)).status).toBe(200);
      const archived = () => bed.rows('select from log_day where not in_postgres');
      await until(async () => (await archived()).length === 1, WITHIN_MS);
    }
    await server.kill();
    using worker = await serve();
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
    const [young, late] = await Promise.all([
      send(worker.url, Date.now()),
      send(worker.url, Date.now(), OLD + 1),
    ]);
    expect([young.status, late.status, late.headers.get('retry-after')]).toEqual([200, 503, '10']);
    await server.start();
    await until(async () => (await send(worker.url, OLD + 2)).status === 200, WITHIN_MS);
  },
  TIMEOUT_MS,
);
