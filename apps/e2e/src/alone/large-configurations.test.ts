/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { neighbour } from '../testing/neighbour.ts';
import { registerPlugin } from '../testing/register-plugin.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const LARGE = 25;

const running = serviceOfFile();

/** Returns 4,900 entries of nearly 256 KiB, whose values depend on `n`. */
function configuration(n: number): string {
  return JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 4_900 }, (_, i) => [`the key of entry ${i}`, `text ${n}`.padEnd(24)]),
    ),
  );
}

test('replacing configurations of 256 KiB does not delay small requests', async () => {
  const [before, after] = [configuration(0), configuration(1)];
  const service = running();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: LARGE }, (_, i) => tenant.attach(i + 1)));
  const { configurations, pool } = service.database;
  const encrypt = await configurations.encrypter(pool, [tenant.projectId]);
  for (const id of ids) {
    const place = { projectId: tenant.projectId, column: 'config_record.config', row: id } as const;
    await pool.query('update config_record set config = $1 where id = $2', [encrypt(place, before), id]);
  }
  const other = await neighbour(await service.tenant());
  const responses = await Promise.all(
    ids.map((id) => tenant.call('PUT', `/plugin_configs/${id}/config`, after)),
  );
  await other.expectUnaffected();
  for (const { status, durationMs } of responses) {
    expect([200, 503]).toContain(status);
    expect(durationMs).toBeLessThan(5_000);
  }
  expect(responses.some(({ status }) => status === 200)).toBe(true);
});

test('registering and reading a plugin with many large configurations does not delay writers', async () => {
  const service = running();
  const [owner, other] = [await service.tenant(), await service.tenant()];
  const plugin = 10_001;
  const text = randomBytes(130_000).toString('hex');
  const config = () => JSON.stringify({ token: 'clear', text });
  await fillFamily(service, owner, { records: 80, plugin: () => plugin, config });
  const same = await neighbour(owner, { limit: 1 });
  const bystander = await neighbour(other);
  await registerPlugin(service, {
    id: plugin,
    name: 'Slack',
    config_schema: [{ key: 'token', type: 'string', secret: true }],
  });
  const { results } = await owner.pluginConfigs.list({ limit: 1000 }).page();
  await Promise.all([same.expectUnaffected(), bystander.expectUnaffected()]);
  for (const record of results) expect(record.config.slice(0, 100)).toContain('"token":"********"');
});
