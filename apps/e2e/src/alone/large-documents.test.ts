/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Plan } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const RECORDS = 2_000;
const CHANGED = 100;
const PLAN_MS = 2_000;
const APPLY_MS = 4_000;
/** The limit for the 99th percentile of a neighbour's reads. */
const NEIGHBOUR_MS = 500;
const PLUGIN = {
  id: 3,
  name: 'GeoIP',
  config_schema: [
    { key: 'database', type: 'string' },
    { key: 'limit', type: 'number' },
    { key: 'rules', type: 'json' },
    { key: 'token', type: 'string', secret: true },
  ],
} as const;

const running = serviceOfFile();

const documentOf = (length: number, name: (n: number) => string): Document => ({
  format: 1,
  manager: 'team',
  plugin_configs: Array.from({ length }, (_, n) => ({
    key: `record-${n}`,
    plugin: PLUGIN.id,
    enabled: true,
    name: name(n),
    config: {
      database: 'city',
      limit: n,
      rules: { allow: ['a', 'b'], deny: [] },
      token: { $secret: 'TOKEN' },
    },
  })),
});

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly durationMs: number }> {
  const start = performance.now();
  const value = await work();
  return { value, durationMs: performance.now() - start };
}

/** Reads a record of another project until aborted. Resolves to the sorted response times. */
async function readTimesOf(
  { pluginConfigs }: Tenant,
  id: number,
  { signal }: AbortController,
): Promise<readonly number[]> {
  const readTimes: number[] = [];
  while (!signal.aborted) {
    readTimes.push((await timed(async () => pluginConfigs.retrieve(id))).durationMs);
    await sleep(5);
  }
  return readTimes.toSorted((a, b) => a - b);
}

test('planning and applying 100 changes in 2,000 records is fast and barely delays neighbours', async () => {
  const service = running();
  const [tenant, neighbour] = [await service.tenant(), await service.tenant()];
  await registerPlugin(service, PLUGIN);
  const id = await neighbour.attach(1);
  const { configuration } = tenant;
  const secrets = { TOKEN: 'secret' };
  const plan = async (document: Document): Promise<Plan> => configuration.plan({ document, secrets });
  const apply = async (document: Document, { base }: Plan) =>
    configuration.apply({ document, secrets, base });
  const first = documentOf(RECORDS, (n) => `Record ${n}`);
  await apply(first, await plan(first));
  const ended = new AbortController();
  const reading = readTimesOf(neighbour, id, ended);
  const next = documentOf(RECORDS, (n) => (n % (RECORDS / CHANGED) === 0 ? `Changed ${n}` : `Record ${n}`));
  const planned = await timed(async () => plan(next));
  const applied = await timed(async () => apply(next, planned.value));
  ended.abort();
  const readTimes = await reading;
  expect(applied.value.summary).toMatchObject({ update: CHANGED, create: 0 });
  expect(planned.durationMs).toBeLessThan(PLAN_MS);
  expect(applied.durationMs).toBeLessThan(APPLY_MS);
  expect(readTimes[Math.floor(readTimes.length * 0.99)]).toBeLessThan(NEIGHBOUR_MS);
});
