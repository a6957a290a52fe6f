/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/property-runs.ts';
import { fakeFeed, type FakeFeed } from '../testing/fake-feed.ts';
import { errorResponse } from '../testing/fake-service.ts';
import { openRuntime, type PluginRuntime } from './index.ts';

const READS = [
  null,
  'hang up',
  errorResponse(503, 'unavailable'),
  errorResponse(429, 'throttled'),
  { status: 404, body: 'the page of a proxy' },
  { body: 'half of a "' },
] as const;
const REPORTS = [{ status: 204 }, errorResponse(503, 'unavailable')] as const;

/** A step of a test: a change, the responses of the service, and possibly a restart of the runtime. */
const incident = fc.record({
  change: fc.boolean(),
  reads: fc.constantFrom(...READS),
  reports: fc.constantFrom(...REPORTS),
  isRestarted: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 15 }),
});

test(
  'despite failures, listeners get the versions in order, and finally the last one',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(incident, { minLength: 3, maxLength: 12 }), async (incidents) => {
        await using feed = await fakeFeed('0');
        const folder = await mkdtemp(join(tmpdir(), 'plugin-config-faults-'));
        const options = optionsFor(feed, join(folder, 'plugins.cache'));
        const delivered: number[] = [];
        const open = async (): Promise<PluginRuntime> => {
          const runtime = await openRuntime(options);
          runtime.on('change', ({ version }) => {
            delivered.push(Number(version));
            if (Number(version) % 3 === 0) throw new Error('It does not run.');
          });
          return runtime;
        };

        let runtime = await open();
        let last = 0;
        for (const { change, reads, reports, isRestarted, pauseMs } of incidents) {
          feed.respondToReads(reads);
          feed.respondToReports(reports);
          if (change) feed.change(String(++last));
          if (isRestarted) {
            await runtime.close();
            runtime = await open();
          }
          await sleep(pauseMs);
        }
        feed.respondToReads(null);
        feed.respondToReports({ status: 204 });
        feed.change(String(++last));

        await expect.poll(() => delivered.at(-1), { interval: 5, timeout: 10_000 }).toBe(last);
        expect(delivered).toEqual(delivered.toSorted((a, b) => a - b));
        expect(runtime.current()).toMatchObject({ version: String(last), stale: false });
        const status = last % 3 === 0 ? 'failed' : 'applied';
        await expect
          .poll(() => feed.reports.at(-1), { interval: 5, timeout: 10_000 })
          .toMatchObject({ version: String(last), status });
        await runtime.close();

        feed.respondToReads('hang up');
        const fromFile = await openRuntime(options);
        expect(fromFile.current()).toMatchObject({ version: String(last), stale: true });
        await fromFile.close();
        await rm(folder, { recursive: true });
      }),
      { numRuns: propertyRuns(30) },
    );
  },
);

function optionsFor({ url }: FakeFeed, cacheFile: string) {
  return {
    url,
    key: 'phx_key',
    project: 1,
    family: 'plugin_configs',
    instance: 'test',
    cacheFile,
    retry: { baseMs: 1, maxPauseMs: 3 },
  } as const;
}
