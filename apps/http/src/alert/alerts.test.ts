import { postgresPorts } from '@plugin-config/persistence';
import { evaluateAt } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const RULE = { name: 'Errors', family: 'plugin_configs', signal: 'error', window_minutes: 60 } as const;
const DEFAULTS = {
  plugin: null,
  record: null,
  threshold: null,
  min_samples: 0,
  for: { n: 1, m: 1 },
  action: 'notify',
  enabled: true,
};

test('an alert has defaults, can be changed field by field, and is deleted', async ({ call, project }) => {
  const created = await call<Wire<'alert'>>('POST', '/alerts', { body: RULE });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.any(Number),
    ...RULE,
    ...DEFAULTS,
    version: 1,
    evaluated_at: null,
    broken: false,
    created_at: expect.any(String),
    updated_at: created.body.created_at,
  });
  const path = `/alerts/${created.body.id}`;
  expect(created.headers.get('location')).toMatch(new RegExp(`/api/projects/${project.id}${path}$`));
  const change = { signal: 'delivery_rate', threshold: 0.9, for: { n: 2, m: 3 }, enabled: false };
  const changed = await call<Wire<'alert'>>('PATCH', path, { body: { ...created.body, ...change } });
  expect([changed.status, changed.body]).toEqual([
    200,
    { ...created.body, ...change, version: 2, updated_at: expect.any(String) },
  ]);
  const same = await call<Wire<'alert'>>('PATCH', path, { body: change });
  expect(same.body).toEqual(changed.body);
  expect((await call<Wire<'alert'>>('GET', path)).body).toEqual(changed.body);
  expect((await call<Wire<'alertPage'>>('GET', '/alerts')).body).toMatchObject({
    count: 1,
    results: [{ id: created.body.id }],
  });
  expect((await call('DELETE', path)).status).toBe(204);
  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await call(method, path)).status).toBe(404);
  expect((await call('GET', `${path}/incidents`)).status).toBe(404);
});

test('ETag, If-None-Match and If-Match are those of one alert', async ({ call }) => {
  const created = await call<Wire<'alert'>>('POST', '/alerts', { body: RULE });
  const { body: other } = await call<Wire<'alert'>>('POST', '/alerts', { body: { ...RULE, name: 'Other' } });
  const path = `/alerts/${created.body.id}`;
  const first = await call('GET', path);
  const tag = first.headers.get('etag') ?? '';
  expect(created.headers.get('etag')).toBe(tag);
  expect((await call('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304);
  const change = (where: string, etag: string, enabled: boolean) =>
    call('PATCH', where, { body: { enabled }, headers: { 'if-match': etag } });
  expect((await change(`/alerts/${other.id}`, tag, false)).status).toBe(412);
  const changed = await change(path, tag, false);
  expect(changed.status).toBe(200);
  expect((await change(path, tag, true)).status).toBe(412);
  expect((await call('DELETE', path, { headers: { 'if-match': tag } })).status).toBe(412);
  const next = changed.headers.get('etag') ?? '';
  expect((await call('DELETE', path, { headers: { 'if-match': next } })).status).toBe(204);
});

test('the event of an incident has the fields of the API', async ({ call, database }) => {
  await call('POST', '/plugin_configs', { body: { plugin: 7, enabled: true } });
  const { body: alert } = await call<Wire<'alert'>>('POST', '/alerts', {
    body: { ...RULE, signal: 'silence' },
  });
  const hook = { url: 'https://hooks.example.com', events: ['incident.closed'] };
  const { body: webhook } = await call<Wire<'webhook'>>('POST', '/webhooks', { body: hook });
  const ports = postgresPorts(database);
  const later = new Date(Date.now() + 2 * 60 * 60_000);
  await evaluateAt(ports, later);
  await call('DELETE', `/alerts/${alert.id}`);
  await evaluateAt(ports, later);
  const { body: incidents } = await call<Wire<'incidentPage'>>('GET', '/incidents');
  expect(incidents.results).toMatchObject([{ alert_id: alert.id, reason: 'deleted' }]);
  const path = `/webhooks/${webhook.id}/deliveries`;
  const { body: deliveries } = await call<Wire<'webhookDeliveryPage'>>('GET', path);
  expect(deliveries.results.map(({ type }) => type)).toEqual(['incident.closed']);
  const { data } = JSON.parse(deliveries.results[0]?.payload ?? '') as { readonly data: object };
  expect(data).toMatchObject({ ...incidents.results[0] });
});

test('a preview of a silent record has an incident; most signals have no history', async ({ call }) => {
  const preview = (fields: object) =>
    call<Wire<'alertPreview'>>('POST', '/alerts/preview', { body: { ...RULE, ...fields } });
  const empty = await preview({ signal: 'silence', name: undefined });
  expect([empty.status, empty.body]).toEqual([200, { count: 0, results: [] }]);
  for (const signal of ['error', 'runtime', 'outdated']) {
    const rejected = await preview({ signal });
    expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_input', attr: 'signal' } });
  }
  expect((await preview({ signal: 'log' })).body).toMatchObject({ code: 'required', attr: 'threshold' });
  const missing = await preview({ signal: 'silence', record: 4_711_000 });
  expect(missing).toMatchObject({ status: 400, body: { code: 'does_not_exist', attr: 'record' } });
  expect((await call<Wire<'alertPage'>>('GET', '/alerts')).body.count).toBe(0);
});
