import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Incident, WebhookDelivery } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { guideCode } from './testing/guide-code.ts';
import { makeAlertsDue } from './testing/make-alerts-due.ts';
import { runCommand } from './testing/run-command.ts';
import { serviceOfFile } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

const running = serviceOfFile({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8' });
const EVENTS = ['--event', 'incident.opened', '--event', 'incident.closed'];
const RULE = ['--signal', 'delivery_rate', '--threshold', '0.95', '--window', '5'];

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

/** Runs commands on the project of a tenant. */
function commandsOf({ api, token, projectId }: Tenant) {
  return async (...args: readonly string[]): Promise<string> => {
    const env = { API_URL: api, API_KEY: token };
    const { code, stdout, stderr } = await runCommand([...args, '--project', String(projectId)], { env });
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
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
    const cli = commandsOf(tenant);
    const { id } = await tenant.pluginConfigs.create({ plugin: 7, enabled: true });
    const port = await freePort();
    const secret = await cli('webhook', 'create', '--url', `http://127.0.0.1:${port}/`, ...EVENTS);
    await using receiver = await guideReceiver(secret, port);
    const [webhook] = JSON.parse(await cli('webhook', 'list', '--json')) as readonly { id: number }[];
    await cli('webhook', 'test', String(webhook?.id));
    await expect.poll(receiver.lines, { timeout: 60_000 }).toEqual([expect.stringContaining('webhook.test')]);

    await deliver(tenant, id, { successes: 0, failures: 10 });
    const alert = await cli('alert', 'create', '--name', 'Deliveries fail', ...RULE);
    const lines = () => receiver.lines().slice(1);
    const opened = JSON.stringify({ text: `incident.opened Deliveries fail Record ${id}` });
    await expect.poll(lines, { timeout: 60_000 }).toEqual([opened]);
    expect(await cli('alert', 'incidents', '--open')).toContain('Deliveries fail');

    await deliver(tenant, id, { successes: 990, failures: 0 });
    await makeAlertsDue(running(), tenant.projectId);
    const closed = JSON.stringify({ text: `incident.closed Deliveries fail Record ${id}` });
    await expect.poll(lines, { timeout: 60_000 }).toEqual([opened, closed]);
    const incidents = JSON.parse(await cli('alert', 'incidents', alert, '--json')) as readonly Incident[];
    expect(incidents).toMatchObject([{ record_id: id, value: 0, reason: 'recovered' }]);
    const list = await cli('webhook', 'deliveries', String(webhook?.id), '--json');
    const deliveries = JSON.parse(list) as readonly WebhookDelivery[];
    expect(deliveries.map(({ type, state }) => [type, state])).toEqual([
      ['incident.closed', 'delivered'],
      ['incident.opened', 'delivered'],
      ['webhook.test', 'delivered'],
    ]);
  },
);

test('the commands change, resend, rotate and delete', { tags: ['long'], timeout: 120_000 }, async () => {
  const tenant = await running().tenant();
  const cli = commandsOf(tenant);
  const alert = await cli(
    'alert',
    'create',
    '--name',
    'Errors',
    '--signal',
    'log',
    '--threshold',
    '5',
    '--window',
    '60',
  );
  await cli(
    'alert',
    'change',
    alert,
    '--signal',
    'silence',
    '--threshold',
    'none',
    '--for',
    '2/3',
    '--no-enabled',
  );
  expect(JSON.parse(await cli('alert', 'show', alert, '--json'))).toMatchObject({
    name: 'Errors',
    record: null,
    signal: 'silence',
    threshold: null,
    window_minutes: 60,
    for: { n: 2, m: 3 },
    enabled: false,
  });
  expect(await cli('alert', 'list')).toMatch(
    /Errors +plugin_configs +all +all +silence +- +60 +2\/3 +notify +disabled$/,
  );
  await cli('alert', 'delete', alert);
  expect(await cli('alert', 'list')).toBe('');

  // No server listens there.
  const url = `http://127.0.0.1:${await freePort()}/`;
  const created = JSON.parse(await cli('webhook', 'create', '--url', url, ...EVENTS, '--json'));
  const { id, secret } = created as { id: number; secret: string };
  const webhook = String(id);
  const delivery = await cli('webhook', 'test', webhook);
  const attempts = () => cli('webhook', 'deliveries', webhook);
  await expect.poll(attempts, { timeout: 60_000 }).toMatch(/ pending +[1-9].* refused the connection\.$/);
  await cli('webhook', 'resend', webhook, delivery);
  expect(await cli('webhook', 'rotate', webhook)).not.toBe(secret);
  await cli('webhook', 'change', webhook, '--event', 'record.updated', '--no-enabled');
  expect(await cli('webhook', 'show', webhook)).toMatch(/ record\.updated +all +disabled +-$/);
  await cli('webhook', 'delete', webhook);
  expect(await cli('webhook', 'list')).toBe('');
});
