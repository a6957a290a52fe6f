import { DAY_MS } from '@plugin-config/domain';
import type { LogQuery } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { runService } from '../testing/running-service.ts';

const PUSHES = 8;
const LINES = 5000;

test('a plugin that puts ids into its types harms no neighbour, and can filter by them', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const other = await neighbour(await service.tenant());
  const id = await tenant.attach();
  const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  for (let push = 0; push < PUSHES; push++) {
    const lines = Array.from({ length: LINES }, (_, i) => {
      const at = (i * PUSHES + push) / (PUSHES * LINES);
      const timestamp = new Date(yesterday + at * DAY_MS).toISOString();
      return { plugin_config_id: id, message: `m${push}`, type: `ID_${push}_${i}`, timestamp };
    });
    const { status, body } = await tenant.push([
      { plugin_config_id: id, message: '', type: 'ERROR' },
      ...lines,
    ]);
    expect([status, body]).toEqual([200, { stored: LINES + 1, duplicates: 0, dead: 0 }]);
  }
  const found = async (query: LogQuery) =>
    (await tenant.pluginConfigs.logs(id, { ...query, limit: 1 }).page()).count;
  expect(await found({ source: 'PLUGIN' })).toBe(PUSHES * (LINES + 1));
  expect(await found({ type_filter: ['ERROR'] })).toBe(PUSHES);
  expect(await found({ type_filter: ['ID_7_4999'] })).toBe(1);
  await other.expectUnharmed();
  const [bytes] = await service.rows<{ blocks: number }>(
    `select max(cardinality(counts)) as blocks from log_block`,
  );
  expect(bytes?.blocks).toBeLessThanOrEqual(256);
}, 60_000);
