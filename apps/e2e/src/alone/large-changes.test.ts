import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

const LARGE = 120;

/** The JSON of 20,000 entries, nearly 256 KiB, all different for each `n`. */
function configuration(n: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, n])));
}

test('configurations of 256 KiB that are all replaced at once do not delay small requests', async () => {
  const [before, after] = [configuration(0), configuration(1)];
  await using service = await runService();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: LARGE }, (_, i) => tenant.attach(i + 1)));
  await service.rows('update config_record set config = $1', [before]);
  const other = await neighbour(await service.tenant());
  await sleep(300);
  const answers = await Promise.all(
    ids.map((id) => tenant.call('PUT', `/plugin_configs/${id}/config`, after)),
  );
  await other.expectUnharmed();
  for (const { status, took } of answers) {
    expect([200, 503]).toContain(status);
    expect(took).toBeLessThan(5_000);
  }
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
