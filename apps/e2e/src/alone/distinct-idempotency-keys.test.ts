import { expect, test } from 'vitest';
import { keepCalling } from '../testing/keep-calling.ts';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

test('a flood of distinct Idempotency-Keys harms no neighbour', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const other = await neighbour(await service.tenant());
  const paths = ['/plugin_configs', `/plugin_configs/${id}/job`];
  const statuses = await keepCalling({ callers: 100, forMs: 8000 }, async (n) => {
    const headers = { 'idempotency-key': `request ${n} ${'x'.repeat(200)}` };
    const { status } = await tenant.call('POST', paths[n % 2] ?? '', { plugin: 7 }, headers);
    return status;
  });
  await other.expectUnharmed();
  expect([...statuses.keys()].filter((status) => ![200, 201, 429, 503].includes(status))).toEqual([]);
  expect(statuses.get(201)).toBeGreaterThan(100);
}, 60_000);
