import { aLogEntry, anAuthor, aTrust } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller } from './caller.ts';
import { createItems, isOfService, OPERATIONS, pathOf } from './mounted-endpoints.ts';
import { ownPage } from './own-page.ts';
import { rawRequest } from './raw-request.ts';
import { test, type Service } from './service.fixture.ts';
import { createWritableRecord } from './writable-record.ts';

/** Statements that do not depend on the requests: the wake-ups of followed logs, and the last use of keys. */
const BACKGROUND_STATEMENTS = ['select pg_notify($1, $2)', 'update api_key k set last_used_at'];

async function statementsOf(
  { statements }: Service,
  work: () => Promise<{ readonly status: number }>,
): Promise<number> {
  statements.length = 0;
  expect((await work()).status).toBeLessThan(500);
  return statements.filter((text) => !BACKGROUND_STATEMENTS.some((start) => text.startsWith(start))).length;
}

test('a cached response costs one access query', async ({ call, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  for (const path of [
    '/plugin_configs',
    `/plugin_configs/${record.id}`,
    '/plugin_configs?limit=5&enabled=false',
  ]) {
    expect([path, await statementsOf(service, () => call('GET', path))]).toEqual([path, 2]);
    expect([path, await statementsOf(service, () => call('GET', path))]).toEqual([path, 1]);
    expect([path, await statementsOf(service, () => call('HEAD', path))]).toEqual([path, 1]);
  }
});

test('a list is read once for all hosts, or once for each host if it has links', async ({
  call,
  service,
  project,
}) => {
  for (const plugin of [1, 2]) await call('POST', '/plugin_configs', { body: { plugin } });
  const { token } = await service.issueKey();
  const statementsAt = (host: string, query: string) =>
    statementsOf(service, () =>
      rawRequest(service.url, [
        `GET /api/projects/${project.id}/plugin_configs?${query} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        'Connection: close',
      ]),
    );
  const counts = async (query: string) => [
    await statementsAt('a.example', query),
    await statementsAt('b.example', query),
    await statementsAt('a.example', query),
  ];
  expect(await counts('limit=2')).toEqual([2, 1, 1]);
  expect(await counts('limit=1')).toEqual([2, 2, 1]);
});

test('concurrent requests share one access query', async ({ call, service }) => {
  await call('GET', '/plugin_configs');
  const together = () => Promise.all(Array.from({ length: 50 }, () => call('GET', '/plugin_configs')));
  await together();
  const count = await statementsOf(service, async () => ({ status: (await together()).length }));
  expect(count).toBeLessThan(40);
});

test('every endpoint has a statement budget and stays within it', async ({ call, service, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const path = `/plugin_configs/${record.id}`;
  const { headers } = await call('POST', `${path}/job`, { body: {} });
  const job = headers.get('location')?.split('/').at(-1) ?? '';
  const entry = aLogEntry({ projectId: project.id, id: record.id }, { id: job, timestamp: new Date() });
  await service.storeEntries([entry]);
  const { token } = await service.issueKey();
  const items = await createItems(call);
  const [alert, webhook] = [`/alerts/${items.alert}`, `/webhooks/${items.webhook}`] as const;
  const ofService = await createItems(caller({ base: `${service.url}/api`, token }), 'Service');
  const serviceAlert = `/alerts/${ofService.alert}` as const;
  const serviceWebhook = `/webhooks/${ofService.webhook}` as const;
  const hook = { url: 'https://hooks.example.com', events: ['record.updated'] };
  const rule = { name: 'Errors', family: 'plugin_configs', signal: 'error', window_minutes: 60 };
  const { id: trust } = await service.ports.trusts.add(aTrust(), anAuthor());
  const time = { since: '2026-03-01T09:30:00Z', until: '2026-03-01T12:00:00Z' };
  const { name, issuer, audience, claims, scopes } = aTrust();
  const budget = [
    ['POST', '/plugin_configs', { plugin: 2 }, 2],
    ['GET', '/plugin_configs/stream', undefined, 2],
    ['GET', '/plugin_configs', undefined, 2],
    ['GET', '/plugin_configs/activity', undefined, 4],
    ['GET', path, undefined, 2],
    ['PATCH', path, { name: 'a' }, 2],
    ['PATCH', path, { name: 'a' }, 1],
    ['PATCH', path, { plugin: 3 }, 3],
    ['PATCH', path, { order: -1 }, 1],
    ['PUT', path, { plugin: 3, name: 'c' }, 2],
    ['PATCH', path, { name: 'd', config: { a: 2 } }, 3],
    ['PUT', `${path}/config`, { a: 1 }, 3],
    ['PATCH', `${path}/config`, { b: 1 }, 3],
    ['PUT', `${path}/plugin_version`, { version: null }, 2],
    ['POST', `${path}/upgrade`, {}, 6],
    ['GET', `${path}/activity`, undefined, 3],
    ['GET', `${path}/revisions`, undefined, 3],
    ['GET', `${path}/revisions/1`, undefined, 3],
    ['POST', `${path}/revisions/1/restore`, undefined, 4],
    ['GET', `${path}/overview`, undefined, 6],
    ['GET', `${path}/frontend`, undefined, 1],
    ['POST', `${path}/job`, { name: 'b' }, 2],
    ['GET', `${path}/jobs/${job}`, undefined, 2],
    ['GET', `${path}/jobs`, undefined, 5],
    ['DELETE', `${path}/jobs/${job}`, undefined, 7],
    ['GET', `${path}/deliveries`, undefined, 2],
    ['GET', `${path}/deliveries/failed`, undefined, 2],
    ['GET', '/plugin_configs/deliveries', undefined, 2],
    ['GET', '/plugin_configs/errors', undefined, 3],
    ['GET', '/plugin_configs/runtime', undefined, 3],
    ['PUT', '/plugin_configs/runtimes/shop-1', { version: '1', status: 'applied' }, 2],
    ['PUT', '/plugin_configs/runtimes/shop-1', { version: '2', status: 'applied' }, 2],
    ['GET', '/plugin_configs/runtimes', undefined, 4],
    ['GET', '/../../runtime/plugin_configs', undefined, 4],
    ['POST', '/../../runtime/plugin_configs/read', { projects: [1] }, 3],
    [
      'PUT',
      '/../../runtime/plugin_configs/instances/shop-1',
      { cursor: 'a.reader.0.0-1-0', status: 'applied' },
      2,
    ],
    ['PATCH', `/../../runtime/plugin_configs/records/${record.id}/config`, { config_version: 1, set: {} }, 3],
    ['POST', '/../../runtime/plugin_configs/jobs/claim', { instance: 'shop-1' }, 4],
    ['PATCH', `/../../runtime/plugin_configs/jobs/${job}`, { instance: 'shop-1' }, 2],
    ['PUT', `/../../runtime/plugin_configs/jobs/${job}/result`, { instance: 'shop-1', state: 'failed' }, 2],
    ['POST', '/plugin_configs/checks', { plugin: 2, config: {} }, 2],
    ['GET', `/plugin_configs/checks/${job}`, undefined, 2],
    ['DELETE', '/plugin_configs/runtimes/shop-1', undefined, 2],
    ['GET', `${path}/logs`, undefined, 6],
    ['GET', `${path}/logs/${job}`, undefined, 7],
    ['GET', `${path}/logs/counts`, undefined, 2],
    ['GET', '/plugin_configs/logs/counts', undefined, 2],
    ['DELETE', path, undefined, 2],
    ['DELETE', path, undefined, 1],
    ['GET', '/..', undefined, 3],
    ['GET', '', undefined, 2],
    ['GET', '/configuration', undefined, 9],
    ['POST', '/configuration/plan', { document: { format: 1, manager: 'team', plugin_configs: [] } }, 9],
    ['POST', '/configuration/apply', { document: { format: 1, manager: 'team' }, base: '' }, 1],
    ['POST', '/configuration/adopt', { manager: 'team', records: [] }, 16],
    ['GET', '/configuration/drift', undefined, 2],
    ['GET', '/configuration/records', undefined, 2],
    ['GET', '/usage', undefined, 3],
    ['GET', '/dead_letters', undefined, 2],
    ['GET', '/overview', undefined, 13],
    ['GET', '/alerts', undefined, 2],
    ['POST', '/alerts', rule, 8],
    ['POST', '/alerts/preview', { ...rule, signal: 'silence' }, 4],
    ['GET', alert, undefined, 2],
    ['PATCH', alert, { enabled: false }, 8],
    ['GET', `${alert}/incidents`, undefined, 3],
    ['GET', '/incidents', undefined, 2],
    ['DELETE', alert, undefined, 8],
    ['GET', '/webhooks', undefined, 2],
    ['POST', '/webhooks', hook, 10],
    ['GET', webhook, undefined, 2],
    ['PATCH', webhook, { events: ['incident.opened'] }, 9],
    ['POST', `${webhook}/rotate`, undefined, 9],
    ['POST', `${webhook}/test`, undefined, 5],
    ['GET', `${webhook}/deliveries`, undefined, 3],
    ['POST', `${webhook}/deliveries/${items.delivery}/resend`, undefined, 5],
    ['POST', `${webhook}/recover`, time, 5],
    ['DELETE', webhook, undefined, 9],
    ['PATCH', '', { name: 'Shop' }, 6],
    ['POST', '/..', { name: 'Shop' }, 7],
    ['PUT', `/../ext:new-${project.id}`, { name: 'Acme' }, 9],
    ['POST', '/../../session', { key: token }, 1],
    ['GET', '/../../session', undefined, 2],
    ['DELETE', '/../../session', undefined, 0],
    ['POST', '/../../sessions/end', { subject: '*' }, 5],
    ['GET', '/../../key', undefined, 2],
    ['GET', '/../../keys', undefined, 4],
    ['POST', '/../../keys', { label: 'CI', scopes: ['plugin:read'] }, 6],
    ['DELETE', '/../../keys/1', undefined, 6],
    ['GET', '/../../trusts', undefined, 2],
    ['POST', '/../../trusts', { name, issuer, audience, claims, scopes }, 7],
    ['PATCH', `/../../trusts/${trust}`, { max_minutes: 5 }, 9],
    ['DELETE', `/../../trusts/${trust}`, undefined, 6],
    ['POST', '/../../tokens', { scopes: ['plugin:read'] }, 1],
    ['GET', '/../../plugins', undefined, 4],
    ['PUT', '/../../plugins/1', { name: 'One' }, 12],
    ['GET', '/../../plugins/1', undefined, 2],
    ['GET', '/../../plugins/1/records', undefined, 2],
    ['GET', '/../../plugins/1/versions', undefined, 3],
    ['PATCH', '/../../plugins/1/versions/0', { state: 'current' }, 7],
    ['POST', '/../../plugins/1/versions/0/plan', undefined, 7],
    ['POST', '/../../plugins/1/versions/0/upgrade', { force: true }, 11],
    ['GET', '/../../plugins/1/versions/0/upgrade', undefined, 2],
    ['DELETE', '/../../plugins/1/versions/0/upgrade', undefined, 7],
    ['PUT', '/../../plugins/1/versions/2.3.1', { schema_version: 1 }, 15],
    ['DELETE', '/../../plugins/1', undefined, 11],
    ['GET', '/../../audit', undefined, 3],
    ['GET', '/../../errors', undefined, 2],
    ['GET', '/../../incidents', undefined, 2],
    ['GET', '/../../runtimes', undefined, 2],
    ['GET', '/../../alerts', undefined, 2],
    ['POST', '/../../alerts', rule, 8],
    ['GET', `/../..${serviceAlert}`, undefined, 2],
    ['PATCH', `/../..${serviceAlert}`, { enabled: false }, 7],
    ['DELETE', `/../..${serviceAlert}`, undefined, 7],
    ['GET', '/../../webhooks', undefined, 3],
    ['POST', '/../../webhooks', hook, 11],
    ['GET', `/../..${serviceWebhook}`, undefined, 2],
    ['PATCH', `/../..${serviceWebhook}`, { events: ['incident.opened'] }, 9],
    ['POST', `/../..${serviceWebhook}/rotate`, undefined, 9],
    ['POST', `/../..${serviceWebhook}/test`, undefined, 5],
    ['GET', `/../..${serviceWebhook}/deliveries`, undefined, 3],
    ['POST', `/../..${serviceWebhook}/deliveries/${ofService.delivery}/resend`, undefined, 5],
    ['POST', `/../..${serviceWebhook}/recover`, time, 5],
    ['DELETE', `/../..${serviceWebhook}`, undefined, 9],
    ['GET', '/../../erasures', undefined, 3],
    ['GET', `/../../erasures/${project.id}`, undefined, 2],
    // Rejected, since the project is needed further on.
    ['DELETE', '', { name: 'other' }, 7],
    ['PATCH', '/plugin_configs/rearrange', { plugin: 2, order: 5 }, 8],
    ['PATCH', '/plugin_configs/rearrange', { orders: {} }, 7],
    ['POST', '/plugin_configs', { plugin: 2, enabled: true }, 3],
    ['POST', '/plugin_configs', { plugin: 2, config: { a: 1 } }, 4],
    ['GET', `${path}/logs/stream`, undefined, 13],
  ] as const;
  const ids = { project: project.id, record: record.id, job, key: 1, trust, plugin: 1, ...items };
  const addresses = OPERATIONS.filter(({ family }) => family === null || family === 'plugin_configs').map(
    (operation) => {
      const named = isOfService(operation.endpoint.path) ? { ...ids, ...ofService } : ids;
      return `${operation.endpoint.method} ${new URL(pathOf(operation, named), service.url).href}`;
    },
  );
  const counted = budget.map(
    ([method, where]) =>
      `${method} ${new URL(`${service.url}/api/projects/${project.id}${where}`).href.replace(/\/$/, '')}`,
  );
  expect(new Set(counted)).toEqual(new Set(addresses));
  for (const [method, where, body, maxStatements] of budget) {
    const sent = { headers: ownPage(service.url), ...(body && { body }) };
    const address = /configuration(?:$|\/drift)/.test(where) ? `${where}?manager=team` : where;
    const count = await statementsOf(service, () => call(method, address, sent));
    const request = `${method} ${where} ${JSON.stringify(body)}`;
    expect(count, `${request}\n${service.statements.join('\n')}`).toBeLessThanOrEqual(maxStatements);
  }
});

test('a write-back finds, reads and versions its record, and stores it', async ({
  call,
  service,
  project,
}) => {
  const { token } = await service.issueKey();
  const all = `${service.url}/api/projects/${project.id}/plugin_configs`;
  const record = await createWritableRecord(service, caller({ base: all, token }));
  const write = (version: number) =>
    call('PATCH', `/../../runtime/plugin_configs/records/${record}/config`, {
      body: { config_version: version, set: { refresh_token: `hunter${version}` } },
    });
  await write(1);
  expect(await statementsOf(service, () => write(2))).toBe(5);
});

test('an Idempotency-Key costs no additional statement, and a repeated request costs one', async ({
  call,
  service,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  // The work of a job is encrypted. The process caches the data key of the project.
  await call('POST', `/plugin_configs/${record.id}/job`, { body: {} });
  for (const [path, statements] of [
    ['/plugin_configs', 2],
    [`/plugin_configs/${record.id}/job`, 2],
  ] as const) {
    const post = () => call('POST', path, { body: { plugin: 2 }, headers: { 'idempotency-key': 'budget' } });
    expect([path, await statementsOf(service, post)]).toEqual([path, statements]);
    expect([path, await statementsOf(service, post)]).toEqual([path, statements + 1]);
  }
});

test('a rejected key costs one access query, and is not stored as used', async ({ call, service }) => {
  const token = `phx_${'a'.repeat(43)}`;
  expect(await statementsOf(service, () => call('DELETE', '/plugin_configs/1', { token }))).toBe(1);
});
