/** @module-tag long */

import type { LogEntryStore } from '@plugin-config/domain';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { push } from './testing/bed.ts';
import { makeClickHouseBed } from './testing/clickhouse-bed.ts';
import { anEntry, ndjson } from './testing/entries.ts';
import { faultShares, manyEntries, seeded, sendWithFaults } from './testing/faults.ts';

const ENTRIES = propertyRuns(15_000);
const SEED = 20_260_402;
const PAGE = 1000;
const TIMEOUT_MS = propertyTimeout(120_000);
const EVERY = { types: [], source: null, instanceId: null, after: null, before: null, search: null };

/** The ids of all listed entries, page by page, and the count that the pages tell. */
async function listed(
  logs: Pick<LogEntryStore, 'page'>,
  record: { readonly projectId: number; readonly id: number },
): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
  const ids: string[] = [];
  for (;;) {
    const { count, items } = await logs.page(record, EVERY, { limit: PAGE, offset: ids.length });
    ids.push(...items.map(({ id }) => id));
    if (items.length === 0) return { ids, count };
  }
}

test(
  'whenever ClickHouse is killed, each acknowledged entry of two workers is stored once, and listed',
  async () => {
    await using made = await makeClickHouseBed();
    const { bed, server, logs, serve } = made;
    const entries = manyEntries(bed.record.id, ENTRIES);
    using one = await serve();
    using other = await serve();
    const urls = [one.url, other.url];
    const sending = { urls, token: bed.token, entries, perBody: 750, senders: 4 };
    await sendWithFaults(sending, faultShares(3, seeded(SEED)), async () => {
      await server.kill();
      await server.start();
    });
    const { ids, count } = await listed(logs, bed.record);
    expect([count, ids.length]).toEqual([ENTRIES, ENTRIES]);
    expect(new Set(ids)).toEqual(new Set(entries.map(({ id }) => id)));
  },
  TIMEOUT_MS,
);

test(
  'a worker starts without ClickHouse, names it, pushes back, and goes on when it is there',
  async () => {
    await using made = await makeClickHouseBed();
    const { bed, server, logs, serve } = made;
    await server.kill();
    using worker = await serve();
    const send = () => push(worker.url, ndjson([anEntry(bed.record.id)]), { token: bed.token });
    const ready = () => fetch(`${worker.url}/readyz`);
    const refused = await send();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await ready()).status).toBe(503);
    expect(await (await ready()).json()).toMatchObject({ detail: 'ClickHouse is out of reach.' });
    await server.start();
    await until(async () => (await ready()).status === 200);
    await until(async () => (await send()).status === 200);
    await server.kill();
    expect((await send()).status).toBe(503);
    await server.start();
    await until(async () => (await send()).status === 200);
    expect((await listed(logs, bed.record)).count).toBe(2);
  },
  TIMEOUT_MS,
);
