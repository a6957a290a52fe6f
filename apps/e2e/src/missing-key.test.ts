/** @module-tag long */

import { TEST_SECRETS_KEYS } from '@plugin-config/persistence/testing';
import { expect, test } from 'vitest';
import { runCommand } from './testing/run-command.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import { tenant } from './testing/tenant.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const NEW = key('new', 1);
const OTHER_BYTES = key('test', 2);

test('an app does not start without a required key, or with a different key under its id', async () => {
  await using service = await runService();
  await service.tenant();
  for (const app of ['http', 'worker'] as const) {
    for (const [SECRETS_KEYS, reason] of [
      ['', /^Missing SECRETS_KEYS: expected [^\n]*secrets generate[^\n]*\n$/],
      [NEW, /^[^\n]*SECRETS_KEYS lacks "test"[^\n]*\n$/],
      [`${NEW},${OTHER_BYTES}`, /^[^\n]*SECRETS_KEYS lists a different key as "test"[^\n]*\n$/],
    ] as const) {
      const rejected = service.run(app, { SECRETS_KEYS });
      expect([await rejected.exited, rejected.stderr()]).toEqual([2, expect.stringMatching(reason)]);
    }
    await service.run(app, { SECRETS_KEYS: `${NEW},${TEST_SECRETS_KEYS}` }).url();
  }
});

test('after a rotation, processes without the new key respond 503 if they need it, and their jobs wait', async () => {
  await using service = await runService();
  const owner = await service.tenant();
  const id = await owner.attach();
  await rotate(service, `${NEW},${TEST_SECRETS_KEYS}`);
  // These processes have neither project's key in memory and read no encrypted data.
  expect(await owner.pluginConfigs.retrieve(id)).toMatchObject({ id });
  expect(await owner.call('PUT', `/plugin_configs/${id}/config`, '{"a":1}')).toMatchObject({ status: 503 });
  const api = await service.run('http', { SECRETS_KEYS: NEW }).url();
  await tenant({ ...owner, api }).pluginConfigs.queueJob(id, { name: 'By the job' });
  await expect
    .poll(() => jobOf(service, id))
    .toMatchObject({ state: 'queued', attempts: 0, error: expect.stringContaining('the key "new"') });
  await service.end('worker');
  await service.run('worker', { SECRETS_KEYS: NEW }).url();
  await expect
    .poll(() => jobOf(service, id), { timeout: 60_000 })
    .toMatchObject({ state: 'succeeded', attempts: 1, error: null });
});

async function rotate({ databaseUrl }: RunningService, SECRETS_KEYS: string): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, SECRETS_KEYS };
  expect(await runCommand(['secrets', 'rotate'], { env })).toMatchObject({ code: 0 });
}

async function jobOf({ rows }: RunningService, record: number): Promise<unknown> {
  const [job] = await rows('select state, attempts, error from job where record_id = $1', [record]);
  return job;
}
