/** @module-tag long */
import { NO_QUOTA } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import { expect } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { push } from './testing/test-bed.ts';
import { ndjson } from './testing/entries.ts';
import { faultShares, manyEntries, replaceKilled, seeded } from './testing/faults.ts';
import { until } from '@plugin-config/server/testing';
import { test } from './testing/worker.fixture.ts';

const ENTRIES = propertyRuns(20_000);
/** Not a multiple of the size of a push, so one push is stored in part. */
const QUOTA = Math.floor(ENTRIES * 0.61) + 7;
const PER_PUSH = 500;
const SENDERS = 4;

test(
  'stores exactly the quota, and all other acknowledged entries as dead letters, no matter when the worker is killed',
  { timeout: propertyTimeout(300_000) },
  async ({ bed }) => {
    const { projectId } = bed.record;
    await bed.ports.projects.change(
      projectId,
      { logQuota: { ...NO_QUOTA, entriesPerDay: QUOTA } },
      anAuthor(),
    );
    const entries = manyEntries(bed.record.id, ENTRIES);
    const port = { WORKER_PORT: String(await freePort()) };
    let worker = bed.run({ ...port, LOG_LEVEL: 'info' });
    const url = await worker.url();
    const pushes = Array.from({ length: ENTRIES / PER_PUSH }, (_, i) =>
      entries.slice(i * PER_PUSH, (i + 1) * PER_PUSH),
    ).values();
    let ended = 0;
    const acknowledged: string[] = [];
    const sender = async (): Promise<void> => {
      for (const some of pushes) {
        let status = 0;
        while (status !== 200 && status !== 429) {
          ({ status } = await push(url, ndjson(some), bed).catch(() => ({ status: 0 })));
        }
        if (status === 200) acknowledged.push(...some.map(({ id }) => id));
        ended += some.length;
      }
    };
    const sent = Promise.all(Array.from({ length: SENDERS }, sender));
    for (const share of faultShares(5, seeded(20_260_403))) {
      await Promise.race([until(() => ended >= share * ENTRIES, 60_000), sent]);
      worker = await replaceKilled(worker, () => bed.run(port));
    }
    await sent;
    const rows = await bed.rows<{ id: string; stored: boolean }>(
      'select id, true as stored from log_entry union all select entry_id, false from dead_letter',
    );
    expect(rows.filter(({ stored }) => stored)).toHaveLength(QUOTA);
    const known = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
    const [today] = await bed.ports.usage.since(projectId, new Date(Date.now() - 86_400_000));
    expect(today?.entries).toBe(QUOTA);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  },
);
