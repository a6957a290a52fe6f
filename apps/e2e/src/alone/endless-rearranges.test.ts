import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { keepCalling } from '../testing/keep-calling.ts';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

const RECORDS = 10_000;

test('endless rearranges that move each of 10,000 records harm no neighbour', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: RECORDS });
  const other = await neighbour(await service.tenant());
  const statuses = await keepCalling({ callers: 10, forMs: 10_000 }, async (n) => {
    const body = { plugin: (n % RECORDS) + 1, order: n % 2 === 0 ? RECORDS : 1 };
    return (await tenant.call('PATCH', '/plugin_configs/rearrange', body)).status;
  });
  await other.expectUnharmed();
  expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(1);
}, 60_000);
