import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from './testing/neighbour.ts';
import { runService } from './testing/running-service.ts';

const LARGE = 30;

/** 20,000 entries, nearly 256 KiB, all of which differ from those of another `n`. */
function configuration(n: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, n]));
}

test('configurations of 256 KiB that are all replaced at once do not hold up small writes', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: LARGE }, (_, i) => tenant.attach(i + 1)));
  const replace = (id: number, n: number) =>
    tenant.call('PUT', `/plugin_configs/${id}/config`, configuration(n));
  for (const id of ids) expect((await replace(id, 0)).status).toBe(200);
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const answers = await Promise.all(ids.map((id) => replace(id, 1)));
  await other.expectUnharmed();
  for (const { status, took } of answers) {
    expect([200, 503]).toContain(status);
    expect(took).toBeLessThan(5_500);
  }
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
