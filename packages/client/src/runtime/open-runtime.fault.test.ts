/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/property-runs.ts';
import { fakeFeed, type FakeFeed } from '../testing/fake-feed.ts';
import { errorAnswer } from '../testing/fake-service.ts';
import { openRuntime, type PluginRuntime } from './index.ts';

const READS = [
  null,
  'hang up',
  errorAnswer(503, 'unavailable'),
  errorAnswer(429, 'throttled'),
  { status: 404, body: 'the page of a proxy' },
  { body: 'half of a "' },
] as const;
const REPORTS = [{ status: 204 }, errorAnswer(503, 'unavailable')] as const;

/** What happens to a service and a runtime, one thing after the other. */
const incident = fc.record({
  change: fc.boolean(),
  reads: fc.constantFrom(...READS),
  reports: fc.constantFrom(...REPORTS),
  isRestarted: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 15 }),
});

test(
  'whatever fails, listeners get versions in their order, and the last one in the end',
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
          feed.answerReads(reads);
          feed.answerReports(reports);
          if (change) feed.change(String(++last));
          if (isRestarted) {
            await runtime.close();
            runtime = await open();
          }
          await sleep(pauseMs);
        }
        feed.answerReads(null);
        feed.answerReports({ status: 204 });
        feed.change(String(++last));

        await expect.poll(() => delivered.at(-1), { interval: 5, timeout: 10_000 }).toBe(last);
        expect(delivered).toEqual(delivered.toSorted((a, b) => a - b));
        expect(runtime.current()).toMatchObject({ version: String(last), stale: false });
        const status = last % 3 === 0 ? 'failed' : 'applied';
        await expect
          .poll(() => feed.reports.at(-1), { interval: 5, timeout: 10_000 })
          .toMatchObject({ version: String(last), status });
        await runtime.close();

        feed.answerReads('hang up');
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
