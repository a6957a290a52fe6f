import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Alert, Incident, Page, Webhook, WebhookDelivery } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { guideCode } from './testing/guide-code.ts';
import { makeAlertsDue } from './testing/make-alerts-due.ts';
import { runCommand } from './testing/run-command.ts';
import { serviceOfFile } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const running = serviceOfFile({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8' });
const EVENTS = 'events=["incident.opened","incident.closed"]';
const RULE = ['family=plugin_configs', 'signal=delivery_rate', 'threshold=0.95', 'window_minutes=5'];

/** Runs the receiver of the guide, which verifies deliveries with the library. */
async function guideReceiver(secret: string, port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-guide-'));
  await mkdir(join(folder, 'node_modules'));
  const library = dirname(dirname(fileURLToPath(import.meta.resolve('standardwebhooks'))));
  await symlink(library, join(folder, 'node_modules/standardwebhooks'));
  await writeFile(join(folder, 'receiver.mjs'), await guideCode('webhooks.md', 'js', 'createServer'));
  const env = { SECRET: secret, PORT: String(port) };
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return {
    lines: () => output.trim().split('\n'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const BODY = JSON.stringify({ name: 'From a file', window_minutes: 30 });

/** Calls operations on the project of a tenant. `--body -` sends `BODY`. */
function operationsOf({ api, token, projectId }: Tenant) {
  return async (operation: string, ...values: readonly string[]): Promise<string> => {
    const env = { API_URL: api, API_KEY: token };
    const args = ['api', operation, `project_id=${projectId}`, ...values];
    const { code, stdout, stderr } = await runCommand(args, { env, input: BODY });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
}

function resultsOf<T>(page: string): readonly T[] {
  return (JSON.parse(page) as Page<T>).results;
}

async function deliver(tenant: Tenant, record: number, counts: { successes: number; failures: number }) {
  const sent = { id: crypto.randomUUID(), timestamp: new Date().toISOString(), plugin_config_id: record };
  const { body } = await tenant.push([{ kind: 'delivery', ...sent, successes_on_retry: 0, ...counts }]);
  expect(body).toMatchObject({ stored: 1 });
}

test(
  'an incident of a failing plugin arrives signed, and closes when the plugin recovers',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const tenant = await running().tenant();
    const call = operationsOf(tenant);
    const { id } = await tenant.pluginConfigs.create({ plugin: 7, enabled: true });
    const port = await freePort();
    const url = `url=http://127.0.0.1:${port}/`;
    const secret = await call('create_webhook', url, EVENTS, '--field', 'secret');
    await using receiver = await guideReceiver(secret, port);
    const [webhook] = resultsOf<Webhook>(await call('list_webhooks'));
    const named = `webhook_id=${webhook?.id}`;
    await call('test_webhook', named);
    await expect.poll(receiver.lines, { timeout: 60_000 }).toEqual([expect.stringContaining('webhook.test')]);

    await deliver(tenant, id, { successes: 0, failures: 10 });
    const alert = await call('create_alert', 'name=Deliveries fail', ...RULE, '--field', 'id');
    const lines = () => receiver.lines().slice(1);
    const opened = JSON.stringify({ text: `incident.opened Deliveries fail Record ${id}` });
    await expect.poll(lines, { timeout: 60_000 }).toEqual([opened]);
    expect(await call('list_incidents', 'open=true')).toContain('Deliveries fail');

    await deliver(tenant, id, { successes: 990, failures: 0 });
    await makeAlertsDue(running(), tenant.projectId);
    const closed = JSON.stringify({ text: `incident.closed Deliveries fail Record ${id}` });
    await expect.poll(lines, { timeout: 60_000 }).toEqual([opened, closed]);
    const incidents = await call('list_alert_incidents', `alert_id=${alert}`);
    expect(resultsOf<Incident>(incidents)).toMatchObject([{ record_id: id, value: 0, reason: 'recovered' }]);
    const deliveries = resultsOf<WebhookDelivery>(await call('list_webhook_deliveries', named));
    expect(deliveries.map(({ type, state }) => [type, state])).toEqual([
      ['incident.closed', 'delivered'],
      ['incident.opened', 'delivered'],
      ['webhook.test', 'delivered'],
    ]);
  },
);

test('operations change, dry-run and delete', { tags: ['long'], timeout: 120_000 }, async () => {
  const call = operationsOf(await running().tenant());
  const rule = ['name=Errors', 'family=plugin_configs', 'signal=log', 'threshold=5', 'window_minutes=60'];
  await call('create_alert', ...rule, '--dry-run');
  expect(resultsOf(await call('list_alerts'))).toEqual([]);
  const { id } = JSON.parse(await call('create_alert', ...rule)) as Alert;
  const named = `alert_id=${id}`;
  const change = ['signal=silence', 'threshold=null', 'for={"n":2,"m":3}', 'enabled=false', 'name="2024"'];
  await call('update_alert', named, ...change);
  expect(JSON.parse(await call('retrieve_alert', named))).toMatchObject({
    name: '2024',
    signal: 'silence',
    threshold: null,
    window_minutes: 60,
    for: { n: 2, m: 3 },
    enabled: false,
  });
  const fromFile = await call('update_alert', named, 'name=Named', '--body', '-');
  expect(JSON.parse(fromFile)).toMatchObject({ name: 'Named', window_minutes: 30 });
  await expect(call('update_alert', named, 'threshhold=1')).rejects.toThrow(/^threshhold: /);
  expect(await call('delete_alert', named)).toBe('');
  await expect(call('retrieve_alert', named)).rejects.toThrow('Not found.');
});

test('without an operation, all of them are listed', async () => {
  const { stdout } = await runCommand(['api'], { env: {} });
  expect(stdout).toMatch(/^create_alert +project_id +Create an alert$/m);
  expect(stdout).toMatch(/^update_plugin_config +project_id,id +Update a record$/m);
});
