/** @module-tag long */

import { expect, test } from 'vitest';
import { operator } from './testing/operator.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import { tenant, type Tenant } from './testing/tenant.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const [OLD, NEW] = [key('old', 1), key('new', 2)];
const PLUGIN = JSON.stringify({
  id: 7,
  name: 'Slack',
  config_schema: [{ key: 'token', type: 'string', secret: true, default: 'hidden' }],
});

test('a missing key is logged at the start, gives 503 where it is needed, and is not needed for new values', async () => {
  await using service = await runService({ SECRETS_KEYS: OLD });
  const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEYS: OLD };
  expect(await operator(['plugin', 'register', '-'], { env, input: PLUGIN })).toMatchObject({ code: 0 });
  const owner = await service.tenant();
  const [waiting, replaced] = [await owner.attach(), await owner.attach()];

  const [http, worker] = (['http', 'worker'] as const).map((app) => service.run(app, { SECRETS_KEYS: NEW }));
  if (http === undefined || worker === undefined) throw new Error('Both apps were started.');
  for (const app of [http, worker]) {
    const url = await app.url();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('secrets_keys_missing 1\n');
    expect(app.stdout()).toMatch(
      /"missing":\["old"\].*secrets are encrypted with keys that SECRETS_KEYS lacks \(old\)/,
    );
  }
  service.worker.child.kill('SIGKILL');
  const restarted = tenant({ ...owner, api: await http.url() });
  await restarted.pluginConfigs.setConfiguration(replaced, { token: 'set again' });
  await queueTask(owner, waiting);
  await expect
    .poll(() => jobOf(service, waiting))
    .toMatchObject({
      state: 'queued',
      attempts: 0,
      error: expect.stringContaining('The key "old"'),
    });
});

async function queueTask({ pluginConfigs }: Tenant, id: number): Promise<void> {
  await pluginConfigs.queueJob(id, { job: { type: 'say', payload: { message: 'hello' } } });
}

async function jobOf({ rows }: RunningService, record: number): Promise<unknown> {
  const [job] = await rows('select state, attempts, error from job where record_id = $1', [record]);
  return job;
}
