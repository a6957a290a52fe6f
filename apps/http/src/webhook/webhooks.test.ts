import { webhookPayloads, type WireErrorBody } from '@plugin-config/contract';
import { WEBHOOK_EVENTS } from '@plugin-config/domain';
import { anAuthor, aPlugin, aVersion, evaluateAt } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const HOOK = { url: 'https://hooks.example.com/a?token=hunter2', events: ['incident.opened'] };
const MISSING = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';

test('the secret of a webhook is only in the responses to creating and rotating it', async ({
  call,
  project,
}) => {
  const created = await call<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body: HOOK });
  const { secret, ...webhook } = created.body;
  expect([created.status, webhook]).toEqual([
    201,
    {
      id: expect.any(Number),
      ...HOOK,
      enabled: true,
      disabled_reason: null,
      plugin: null,
      last_delivered_at: null,
      paused_at: null,
      version: 1,
      created_at: expect.any(String),
      updated_at: webhook.created_at,
    },
  ]);
  expect(secret).toMatch(/^whsec_/);
  expect(created.headers.get('cache-control')).toBe('no-store');
  const path = `/webhooks/${webhook.id}`;
  expect(created.headers.get('location')).toMatch(new RegExp(`/api/projects/${project.id}${path}$`));
  expect((await call<Wire<'webhook'>>('GET', path)).body).toEqual(webhook);
  expect((await call<Wire<'webhookPage'>>('GET', '/webhooks')).body).toMatchObject({
    count: 1,
    results: [webhook],
  });
  const { body: changed } = await call<Wire<'webhook'>>('PATCH', path, {
    body: { events: ['record.created'] },
  });
  expect(changed).toEqual({
    ...webhook,
    events: ['record.created'],
    version: 2,
    updated_at: expect.any(String),
  });
  const { body: rotated } = await call<Wire<'webhookWithSecret'>>('POST', `${path}/rotate`);
  expect(rotated).toMatchObject({ id: webhook.id, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(secret);
  expect((await call('DELETE', path)).status).toBe(204);
  for (const [method, where] of [
    ['GET', path],
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/rotate`],
    ['POST', `${path}/test`],
    ['GET', `${path}/deliveries`],
    ['POST', `${path}/deliveries/${MISSING}/resend`],
  ] as const)
    expect([where, (await call(method, where)).status]).toEqual([where, 404]);
});

test('a webhook whose URL is no longer allowed can be disabled, but not enabled', async ({
  call,
  project,
  service,
}) => {
  const settings = {
    url: 'https://127.0.0.1/',
    events: ['record.created'],
    plugin: null,
    enabled: true,
  } as const;
  const { webhook } = await service.ports.webhooks.create(project.id, settings, anAuthor());
  const path = `/webhooks/${webhook.id}`;
  expect((await call('PATCH', path, { body: { enabled: false } })).status).toBe(200);
  const { status, body } = await call<WireErrorBody>('PATCH', path, { body: { enabled: true } });
  expect([status, body.attr]).toEqual([400, 'url']);
});

test.for([
  [{ url: 'http://hooks.example.com' }, 'url', 'invalid_input'],
  [{ url: 'https://user:secret@hooks.example.com' }, 'url', 'invalid_input'],
  [{ url: 'https://hooks.example.com/#a' }, 'url', 'invalid_input'],
  [{ url: 'https://127.0.0.1/' }, 'url', 'invalid_input'],
  [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url', 'invalid_input'],
  [{ url: 'https://0x7f.1/' }, 'url', 'invalid_input'],
  [{ url: 'nonsense' }, 'url', 'invalid_input'],
  [{ url: '' }, 'url', 'blank'],
  [{ url: `https://hooks.example.com/${'x'.repeat(2000)}` }, 'url', 'max_length'],
  [{ url: undefined }, 'url', 'required'],
  [{ events: [] }, 'events', 'min_value'],
  [{ events: ['record.created', 'record.created'] }, 'events', 'invalid_input'],
  [{ events: ['webhook.test'] }, 'events.0', 'invalid_input'],
  [
    { events: Array.from({ length: WEBHOOK_EVENTS.length + 1 }, () => 'record.created') },
    'events',
    'max_value',
  ],
  [{ enabled: 'true' }, 'enabled', 'invalid_input'],
] as const)('%j is rejected, naming %s', async ([fields, attr, code], { call }) => {
  const rejected = await call<WireErrorBody>('POST', '/webhooks', { body: { ...HOOK, ...fields } });
  expect([rejected.status, rejected.body]).toMatchObject([400, { type: 'validation_error', attr, code }]);
  const { body: webhook } = await call<Wire<'webhook'>>('POST', '/webhooks', { body: HOOK });
  if (Object.values(fields)[0] === undefined) return;
  const change = await call<WireErrorBody>('PATCH', `/webhooks/${webhook.id}`, { body: fields });
  expect([change.status, change.body]).toMatchObject([400, { attr, code }]);
});

test('the URL of a webhook is unique within the project, so repeating a creation is safe', async ({
  call,
}) => {
  const create = (url: string) =>
    call<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body: { ...HOOK, url } });
  const other = 'https://hooks.example.com/b';
  const [one, two] = [await create(HOOK.url), await create(other)];
  const taken = {
    status: 409,
    body: {
      type: 'invalid_request',
      code: 'already_exists',
      detail: 'There is already a webhook with this URL.',
      attr: 'url',
    },
  };
  expect(await create(HOOK.url)).toMatchObject(taken);
  const path = `/webhooks/${two.body.id}`;
  expect(await call('PATCH', path, { body: { url: HOOK.url } })).toMatchObject(taken);
  expect(await call('PATCH', path, { body: { url: other, enabled: false } })).toMatchObject({ status: 200 });
  expect((await call<Wire<'webhookPage'>>('GET', '/webhooks')).body.count).toBe(2);
  await call('DELETE', `/webhooks/${one.body.id}`);
  expect(await call('PATCH', path, { body: { url: HOOK.url } })).toMatchObject({ status: 200 });
});

test('an http URL is rejected with the setting that allows it', async ({ call }) => {
  const body = { ...HOOK, url: 'http://localhost:9000/' };
  const rejected = await call<WireErrorBody>('POST', '/webhooks', { body });
  expect([rejected.status, rejected.body.detail]).toEqual([
    400,
    'This URL must start with https:// (http:// needs WEBHOOK_ALLOW_HTTP=true at the service).',
  ]);
});

test('If-Match protects changes and deletion', async ({ call }) => {
  const created = await call<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body: HOOK });
  const path = `/webhooks/${created.body.id}`;
  const headers = { 'if-match': created.headers.get('etag') ?? '' };
  expect((await call('PATCH', path, { body: { enabled: false }, headers })).status).toBe(200);
  expect((await call('PATCH', path, { body: { enabled: true }, headers })).status).toBe(412);
  expect((await call('DELETE', path, { headers })).status).toBe(412);
});

test('a test event is queued and listed, and can be sent again; not while the webhook is disabled', async ({
  call,
}) => {
  const { body: webhook } = await call<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body: HOOK });
  const path = `/webhooks/${webhook.id}`;
  const dry = await call('POST', `${path}/test?dry_run=true`);
  expect([dry.status, dry.headers.get('dry-run')]).toEqual([202, 'true']);
  const queued = await call<Wire<'webhookDelivery'>>('POST', `${path}/test`);
  expect([queued.status, queued.body]).toMatchObject([
    202,
    { type: 'webhook.test', state: 'pending', attempts: 0 },
  ]);
  expect(JSON.parse(queued.body.payload)).toMatchObject({
    type: 'webhook.test',
    timestamp: expect.any(String),
  });
  const again = await call<Wire<'webhookDelivery'>>('POST', `${path}/deliveries/${queued.body.id}/resend`);
  expect([again.status, again.body.id, again.body.payload]).toEqual([
    202,
    queued.body.id,
    queued.body.payload,
  ]);
  const { body: page } = await call<Wire<'webhookDeliveryPage'>>('GET', `${path}/deliveries`);
  expect([page.count, page.results.map(({ id }) => id)]).toEqual([1, [queued.body.id]]);
  for (const id of [MISSING, 'nonsense'])
    expect((await call('POST', `${path}/deliveries/${id}/resend`)).status).toBe(404);
  const time = { since: '2026-03-01T09:30:00Z', until: '2026-03-01T10:30:00+01:00' };
  const recovered = await call('POST', `${path}/recover`, { body: time });
  expect([recovered.status, recovered.body]).toEqual([202, { queued: 0 }]);
  expect((await call('POST', '/webhooks/404/recover', { body: time })).status).toBe(404);
  for (const [attr, body] of [
    ['until', { since: time.since }],
    ['since', { ...time, since: 'yesterday' }],
  ] as const)
    expect(await call('POST', `${path}/recover`, { body })).toMatchObject({ status: 400, body: { attr } });
  await call('PATCH', path, { body: { enabled: false } });
  for (const where of [`${path}/test`, `${path}/deliveries/${queued.body.id}/resend`])
    expect(await call('POST', where)).toMatchObject({ status: 400, body: { attr: 'enabled' } });
});

test('each event is as the OpenAPI document describes it', async ({ call, service, database, project }) => {
  const { webhookEvents, plugins, pluginVersions } = service.ports;
  const body = { ...HOOK, events: WEBHOOK_EVENTS };
  const { body: webhook } = await call<Wire<'webhook'>>('POST', '/webhooks', { body });
  const author = anAuthor({ at: new Date() });
  const plugin = 91_000;
  await plugins.register(aPlugin({ id: plugin }), new Map(), author);
  for (const version of ['1', '2'])
    await pluginVersions.register(plugin, aVersion({ version, checks: true }), new Map(), author);
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin } });
  await pluginVersions.change(plugin, '2', { state: 'deprecated' }, author);
  await call('PATCH', `/plugin_configs/${record.id}`, { body: { enabled: true } });
  await database.pool.query(
    `with shown as (update config_record set error = 'timed out' where id = $1)
    insert into error_report (record_id, timestamp, taken_in_at, position, error) values ($1, now(), now(), 1, 'timed out')`,
    [record.id],
  );
  const rule = { name: 'Errors', family: 'plugin_configs', signal: 'error', window_minutes: 60 };
  await call('POST', '/alerts', { body: { ...rule, action: 'disable' } });
  await evaluateAt(service.ports, new Date());
  await call('DELETE', `/plugin_configs/${record.id}`);
  await database.pool.query(
    `insert into log_usage (day, project_id, entries, bytes, over_quota)
    values ((now() at time zone 'UTC')::date, $1, 1, 1, 1)`,
    [project.id],
  );
  await webhookEvents.queueQuotaEvents();
  await call('POST', `/webhooks/${webhook.id}/test`);
  const path = `/webhooks/${webhook.id}/deliveries`;
  const { body: deliveries } = await call<Wire<'webhookDeliveryPage'>>('GET', path);
  const payloads = deliveries.results.map(({ payload }) => JSON.parse(payload) as { readonly type: string });
  expect(payloads.map(({ type }) => type).toSorted()).toEqual([...webhookPayloads.keys()].toSorted());
  for (const payload of payloads) expect(webhookPayloads.get(payload.type)?.parse(payload)).toEqual(payload);
});

test('neither URLs nor secrets are logged or audited', async ({ call, service }) => {
  const { body: webhook } = await call<Wire<'webhookWithSecret'>>('POST', '/webhooks', { body: HOOK });
  await call('PATCH', `/webhooks/${webhook.id}`, { body: { enabled: false } });
  await call('POST', `/webhooks/${webhook.id}/rotate`);
  await call('DELETE', `/webhooks/${webhook.id}`);
  const { token } = await service.issueKey();
  const { body, text } = await call<Wire<'auditPage'>>('GET', '/../../audit', { token });
  const own = body.results.filter(({ subject }) => subject.type === 'webhook' && subject.id === webhook.id);
  expect(own.map(({ action }) => action)).toEqual([
    'webhook_deleted',
    'webhook_rotated',
    'webhook_changed',
    'webhook_created',
  ]);
  for (const secret of ['hunter2', webhook.secret]) {
    expect(text).not.toContain(secret);
    expect(service.log.join('\n')).not.toContain(secret);
  }
});
