/** @module-tag long */

import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { firstCursor } from '../testing/first-cursor.ts';
import { flood } from '../testing/flood.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';
import { tenant as tenantAt, type Tenant } from '../testing/tenant.ts';

/** 8,000 random digits, which compress badly and differ for each record. */
const CONFIG = (n: number): string => JSON.stringify({ text: randomBytes(4000).toString('hex') + n });
const MANY = 10_000;
/** Calls that succeed, or are rejected with Retry-After. */
const DEFERRED = [200, 429, 503];

const running = serviceOfFile();

test('many large, distinct, compressed pages do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: 1000, config: CONFIG });
  let compressed = 0;
  await flood(service, { callers: 30, allowed: [200, 503] }, async (n) => {
    const page = `/plugin_configs?limit=${900 - (n % 400)}&offset=${Math.floor(n / 400)}`;
    const response = await drain(tenant, page);
    if (response.encoding === 'br') compressed++;
    return response;
  });
  expect(compressed).toBeGreaterThan(0);
});

test('endless rearranges of 10,000 records do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: MANY });
  const statuses = await flood(service, { callers: 30, allowed: [200, 503] }, async (n) =>
    tenant.call('PATCH', '/plugin_configs/rearrange', {
      plugin: (n % MANY) + 1,
      order: n % 2 === 0 ? MANY : 1,
    }),
  );
  expect(statuses.get(200)).toBeGreaterThan(1);
});

test('polls for changes in a large family do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  await fillFamily(service, tenant, { records: MANY });
  const id = await tenant.attach();
  const cursor = await firstCursor(tenant);
  let seen = 0;
  await flood(service, { callers: 24, allowed: DEFERRED }, async (n) => {
    const since = `/plugin_configs?changed_since=${cursor.replace(/0$/, String(n % 2))}&limit=1000&offset=${(n % 10) * 1000}`;
    const response = await (n % 24 === 0
      ? tenant.call<Listed>('PATCH', `/plugin_configs/${id}`, { name: `name ${n}` })
      : tenant.call<Listed>('GET', since));
    seen += response.body.results?.length ?? 0;
    return response;
  });
  expect(seen).toBeGreaterThan(1000);
});

test('a flood of distinct Idempotency-Keys does not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const paths = ['/plugin_configs', `/plugin_configs/${id}/job`];
  const statuses = await flood(service, { callers: 100, allowed: [201, ...DEFERRED] }, async (n) => {
    const headers = { 'idempotency-key': `request ${n} ${'x'.repeat(200)}` };
    return tenant.call('POST', paths[n % 2] ?? '', { plugin: 7 }, headers);
  });
  expect(statuses.get(201)).toBeGreaterThan(20);
});

test('changes across 10,000 records and creations in unknown projects do not slow down neighbours', async () => {
  const service = running();
  const bound = await service.tenant();
  const unbound = tenantAt({ ...bound, token: await service.issueKey(['plugin:read', 'plugin:write']) });
  await fillFamily(service, unbound, { records: MANY });
  const first = await unbound.call<Listed>('GET', '/plugin_configs?limit=1');
  const from = first.body.results?.[0]?.id ?? 0;
  const statuses = await flood(service, { callers: 60, allowed: [404, ...DEFERRED] }, async (n) =>
    n % 4 === 0
      ? unbound.call('POST', `/../${1_000_000 + n}/plugin_configs`, { plugin: 7 })
      : unbound.call('PATCH', `/plugin_configs/${from + ((n * 7919) % MANY)}`, { name: `name ${n}` }),
  );
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(statuses.get(404)).toBeGreaterThan(30);
});

test('endless conditional requests with thousands of tags do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const id = await tenant.attach();
  const tags = '"a",'.repeat(3_500);
  await flood(service, { callers: 100, allowed: [412, ...DEFERRED] }, async (n) =>
    n % 2 === 0
      ? tenant.call('GET', `/plugin_configs/${id}`, undefined, { 'if-none-match': tags })
      : tenant.call('PATCH', `/plugin_configs/${id}`, { name: `${n}` }, { 'if-match': tags }),
  );
});

test('endless strict requests with large bodies and many parameters do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const records = Array.from({ length: 2_000 }, (_, n) => ({
    key: `key-${n}`,
    plugin: 7,
    name: 'x'.repeat(300),
  }));
  const document = {
    format: 1,
    manager: 'team',
    plugin_configs: [...records, { key: 'last', colour: 'red' }],
  };
  const parameters = Array.from({ length: 500 }, (_, n) => `unknown${n}=1`).join('&');
  const calls = [
    ['POST', '/configuration/plan', JSON.stringify({ document })],
    ['POST', '/plugin_configs', JSON.stringify({ plugin: 7, description: 'x'.repeat(900_000), colour: 1 })],
    ['GET', `/plugin_configs?${parameters}`],
  ] as const;
  const prefer = `${'respond-async, '.repeat(500)}handling=strict`;
  const statuses = await flood(service, { callers: 30, allowed: [400, 429, 503] }, async (n) => {
    const [method, path, body] = calls[n % calls.length] ?? calls[0];
    return tenant.call(method, path, body, { prefer });
  });
  expect(statuses.get(400)).toBeGreaterThan(30);
});

test('endless changes of single entries in large configurations do not slow down neighbours', async () => {
  const service = running();
  const tenant = await service.tenant();
  const configs = [
    { text: 'x'.repeat(250_000) },
    Object.fromEntries(Array.from({ length: 4_900 }, (_, n) => [`key${n}`, n])),
  ];
  const ids = await Promise.all(
    configs.map(async (config) => {
      const id = await tenant.attach();
      expect((await tenant.call('PUT', `/plugin_configs/${id}/config`, config)).status).toBe(200);
      return id;
    }),
  );
  const statuses = await flood(service, { callers: 30, allowed: DEFERRED }, async (n) =>
    tenant.call('PATCH', `/plugin_configs/${ids[n % ids.length]}/config`, { key: n }),
  );
  expect(statuses.get(200)).toBeGreaterThan(1);
});

test('changes that queue events for 20 webhooks do not slow down neighbours', async () => {
  const service = running();
  const [tenant, bystander] = [await service.tenant(), await service.tenant()];
  const ids = await fillFamily(service, tenant, { records: 1_000 });
  await addWebhooks(tenant, 20);
  await addWebhooks(bystander, 1);
  const beside = await neighbour(bystander);
  const statuses = await flood(service, { callers: 60, allowed: DEFERRED, beside }, async (n) =>
    n % 20 === 0
      ? tenant.call('PATCH', '/plugin_configs/rearrange', { plugin: (n % 1_000) + 1, order: 1 })
      : tenant.call('PATCH', `/plugin_configs/${ids[n % ids.length]}`, { name: `name ${n}` }),
  );
  expect(statuses.get(200)).toBeGreaterThan(20);
  const [queued] = await service.rows<{ readonly count: number }>(
    'select count(*)::int from webhook_dispatch where project_id = $1',
    [tenant.projectId],
  );
  expect(queued?.count).toBeGreaterThan(400);
});

interface Listed {
  readonly results?: readonly { readonly id: number }[];
}

/** Adds webhooks for all changes to records, whose receivers do not exist. */
async function addWebhooks({ call }: Tenant, count: number): Promise<void> {
  const events = ['record.created', 'record.updated', 'record.deleted'];
  for (let n = 0; n < count; n++) {
    const { status } = await call('POST', '/webhooks', { url: `https://hooks.invalid/${n}`, events });
    expect(status).toBe(201);
  }
}

/** Reads a response as sent, without decompressing it. */
function drain(
  { api, projectId, token }: Tenant,
  path: string,
): Promise<{ readonly status: number; readonly encoding: string | undefined }> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' };
  return new Promise((resolve, reject) => {
    get(`${api}/api/projects/${projectId}${path}`, { headers }, (response) => {
      const { statusCode = 0, headers: sent } = response.resume();
      response.on('end', () => resolve({ status: statusCode, encoding: sent['content-encoding'] }));
    }).on('error', reject);
  });
}
