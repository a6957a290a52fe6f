/** @module-tag long */

import { DAY_MS } from '@plugin-config/domain';
import type { LogEntry, Page } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns, propertyTimeout, SEED } from '../../../tools/property-runs.ts';
import { filtered, logOf, parametersOf, type Line, type LogFilter } from './testing/log-model.ts';
import { runService } from './testing/running-service.ts';
import type { ReceivedResponse, Tenant } from './testing/tenant.ts';

const RUNS = 12;
const USUAL_MS = 300_000;
const BATCHES = 4;
const LINES = 1000;
const PAGES = 8;
const QUERIES = 25;
const RECORDS = 2;

/** Types without their own counters. */
const CUSTOM_TYPES = 400;
const TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR', 'OWN'];
const SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE', 'OWN_SOURCE'];
const INSTANCES = [1, 2, 3].map((n) => `0197a3f0-1111-7222-8333-94445555666${n}`);
const WORDS = ['Plugin', 'loaded', 'Ärger', '100%', 'a_b', String.raw`back\slash`, "it's", '🚀', 'ERROR', ''];
const SEARCHES = ['plugin', 'ÄRGER', '%', '_', '\\', "'s", '🚀', 'nowhere', 'n l'];

/** Few distinct times, so many entries share one. */
const moments = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 * DAY_MS }) },
  { weight: 2, arbitrary: fc.nat(5).map((day) => day * DAY_MS) },
);
const types = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TYPES) },
  { weight: 3, arbitrary: fc.nat(CUSTOM_TYPES).map((n) => `TYPE_${n}`) },
);

const lines = fc.record({
  record: fc.nat(RECORDS - 1),
  id: fc.uuid(),
  ago: moments,
  /** Finer than milliseconds. */
  finer: fc.constantFrom('', '000', '999'),
  source: fc.constantFrom(...SOURCES),
  type: types,
  message: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' ')),
  instance_id: fc.constantFrom(...INSTANCES),
});

const pushes = fc.array(fc.array(lines, { maxLength: LINES, size: 'max' }), {
  minLength: 1,
  maxLength: BATCHES,
});

const filters = fc.record(
  {
    types: fc.array(types, { minLength: 1, maxLength: 3 }),
    source: fc.constantFrom(...SOURCES),
    instance_id: fc.constantFrom(...INSTANCES),
    after: moments,
    before: moments,
    search: fc.constantFrom(...SEARCHES),
  },
  { requiredKeys: [] },
);

const queries = fc.array(
  fc.record({
    record: fc.nat(RECORDS - 1),
    filter: filters,
    limit: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 20, max: 1000 })),
    offset: fc.oneof(fc.nat(5), fc.nat(BATCHES * LINES)),
  }),
  { minLength: QUERIES, maxLength: QUERIES },
);

test(
  `a log returns the pushed entries for any filters and pages, seed ${SEED}`,
  {
    timeout: propertyTimeout(USUAL_MS),
  },
  async () => {
    await using service = await runService();
    const now = Date.now();
    const property = fc.asyncProperty(pushes, queries, async (pushed, requested) => {
      const tenant = await service.tenant();
      const records = await Promise.all(Array.from({ length: RECORDS }, (_, n) => tenant.attach(n + 1)));
      const recordOf = (n: number): number => records[n] ?? 0;
      let count = 0;
      const sent = pushed.map((batch) =>
        batch.map(({ record, ago, finer, id, ...line }): Line => {
          const timestamp = new Date(now - ago).toISOString().replace('Z', `${finer}Z`);
          return { ...line, id: uniqueId(id, count++), plugin_config_id: recordOf(record), timestamp };
        }),
      );
      await pushAll(tenant, sent);
      for (const { record, filter, limit, offset } of requested) {
        const { after, before, ...rest } = filter;
        const timed = {
          ...rest,
          ...(after !== undefined && { after: now - after }),
          ...(before !== undefined && { before: now - before }),
        };
        await expectPages(tenant, logOf(sent.flat(), recordOf(record)), {
          record: recordOf(record),
          plugin: record + 1,
          filter: timed,
          limit,
          offset,
        });
      }
    });
    await fc.assert(property, { numRuns: propertyRuns(RUNS) });
  },
);

/** Makes the ids of entries unique. */
function uniqueId(id: string, n: number): string {
  return id.slice(0, -12) + n.toString(16).padStart(12, '0');
}

/** Pushes all batches at once, then one of them again. */
async function pushAll(tenant: Tenant, batches: readonly (readonly Line[])[]): Promise<void> {
  const reports = await Promise.all(batches.map((batch) => tenant.push(batch)));
  expect(reports.map(({ body }) => body)).toEqual(
    batches.map(({ length }) => ({ stored: length, duplicates: 0, dead: 0 })),
  );
  const again = batches.at(-1) ?? [];
  expect((await tenant.push(again)).body).toEqual({ stored: 0, duplicates: again.length, dead: 0 });
}

interface Requested {
  readonly record: number;
  readonly plugin: number;
  readonly filter: LogFilter;
  readonly limit: number;
  readonly offset: number;
}

/** Reads page by page from an offset. */
async function expectPages(
  { call, projectId }: Tenant,
  entries: readonly Line[],
  { record, plugin, filter, limit, offset }: Requested,
): Promise<void> {
  const expected = filtered(entries, filter);
  const parameters = parametersOf(filter);
  parameters.set('limit', String(limit));
  parameters.set('offset', String(offset));
  const path = `/plugin_configs/${record}/logs?`;
  const found: LogEntry[] = [];
  let query: string | null = parameters.toString();
  for (let pages = 0; pages < PAGES && query !== null; pages++) {
    const { body }: ReceivedResponse<Page<LogEntry>> = await call('GET', path + query);
    const rest = expected.length - offset - found.length;
    const length = Math.max(0, Math.min(limit, rest));
    expect([query, body.count, body.results.length]).toEqual([query, expected.length, length]);
    expect(body.previous === null).toBe(offset + found.length === 0);
    expect(body.next === null).toBe(rest <= limit);
    found.push(...body.results);
    query = body.next === null ? null : new URL(body.next).search.slice(1);
  }
  const owner = { team_id: projectId, plugin_id: plugin };
  const part = expected.slice(offset, offset + found.length);
  expect(found).toEqual(part.map((line) => ({ ...line, ...owner })));
}
