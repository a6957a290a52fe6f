import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lockFamily } from '../testing/lock-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

test('a family that is locked for long delays no other family, and its writers are refused in time', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const locked = lockFamily(service, tenant, 7);
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const report = tenant.push([{ kind: 'error', plugin_config_id: id, error: 'Broken' }]);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0
        ? tenant.call('PATCH', `/plugin_configs/${id}`, { name: `name ${i}` })
        : tenant.call('POST', '/plugin_configs', { plugin: i }),
    ),
  );
  await other.expectUnharmed();
  expect((await report).status).toBe(200);
  expect((await report).took).toBeLessThan(1_000);
  for (const { status, headers, took } of answers) {
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(took).toBeGreaterThan(3_500);
    expect(took).toBeLessThan(5_500);
  }
  await locked;
  expect((await tenant.call('PATCH', `/plugin_configs/${id}`, { name: 'free' })).status).toBe(200);
});
