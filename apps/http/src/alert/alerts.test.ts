import type { WireErrorBody } from '@plugin-config/contract';
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

test.for([
  [{ name: '' }, 'name', 'blank'],
  [{ name: 'a\u202Eb' }, 'name', 'invalid_input'],
  [{ name: 'x'.repeat(201) }, 'name', 'max_length'],
  [{ family: 'other' }, 'family', 'invalid_input'],
  [{ record: 0 }, 'record', 'min_value'],
  [{ record: 4_711_000 }, 'record', 'does_not_exist'],
  [{ signal: 'silence', family: 'pipeline_transformation_configs' }, 'signal', 'invalid_input'],
  [{ threshold: 1 }, 'threshold', 'invalid_input'],
  [{ threshold: '1' }, 'threshold', 'invalid_input'],
  [{ signal: 'log' }, 'threshold', 'required'],
  [{ signal: 'log', threshold: 0.5 }, 'threshold', 'invalid_input'],
  [{ signal: 'delivery_rate', threshold: 1.5 }, 'threshold', 'invalid_input'],
  [{ window_minutes: undefined }, 'window_minutes', 'required'],
  [{ window_minutes: 4 }, 'window_minutes', 'min_value'],
  [{ window_minutes: 1441 }, 'window_minutes', 'max_value'],
  [{ min_samples: 1_000_001 }, 'min_samples', 'max_value'],
  [{ for: { n: 2, m: 1 } }, 'for', 'invalid_input'],
  [{ for: { n: 1, m: 11 } }, 'for.m', 'max_value'],
  [{ for: { n: 1 } }, 'for.m', 'required'],
  [{ action: 'page' }, 'action', 'invalid_input'],
] as const)('%j is rejected, naming %s', async ([fields, attr, code], { call }) => {
  const body = { ...RULE, ...fields };
  for (const path of ['/alerts', '/alerts?dry_run=true']) {
    const rejected = await call<WireErrorBody>('POST', path, { body });
    expect([rejected.status, rejected.body]).toMatchObject([400, { type: 'validation_error', attr, code }]);
  }
  expect((await call<Wire<'alertPage'>>('GET', '/alerts')).body.count).toBe(0);
});

test('a change is rejected if it does not fit the rest of the rule', async ({ call }) => {
  const { body: alert } = await call<Wire<'alert'>>('POST', '/alerts', { body: RULE });
  for (const body of [{ signal: 'log' }, { threshold: 5 }]) {
    const rejected = await call<WireErrorBody>('PATCH', `/alerts/${alert.id}`, { body });
    expect(rejected).toMatchObject({ status: 400, body: { attr: 'threshold' } });
  }
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

test('the name of an alert is unique within the project, so repeating a creation is safe', async ({
  call,
}) => {
  const create = (name: string) => call<Wire<'alert'>>('POST', '/alerts', { body: { ...RULE, name } });
  const [one, two] = [await create('One'), await create('Two')];
  const taken = {
    status: 409,
    body: {
      type: 'invalid_request',
      code: 'already_exists',
      detail: 'There is already an alert with this name.',
      attr: 'name',
    },
  };
  expect(await create('One')).toMatchObject(taken);
  const path = `/alerts/${two.body.id}`;
  expect(await call('PATCH', path, { body: { name: 'One' } })).toMatchObject(taken);
  expect(await call('PATCH', path, { body: { name: 'Two', enabled: false } })).toMatchObject({ status: 200 });
  expect((await call<Wire<'alertPage'>>('GET', '/alerts')).body.count).toBe(2);
  await call('DELETE', `/alerts/${one.body.id}`);
  expect(await call('PATCH', path, { body: { name: 'One' } })).toMatchObject({ status: 200 });
});

test('incidents are filtered by alert, record and state', async ({ call, database, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const { body: one } = await call<Wire<'alert'>>('POST', '/alerts', { body: RULE });
  const { body: two } = await call<Wire<'alert'>>('POST', '/alerts', { body: { ...RULE, name: 'Two' } });
  const open = async (alert: Wire<'alert'>, recordId: number, closed: string | null) =>
    database.pool.query(
      `insert into incident (
        project_id, alert_project_id, alert_id, alert_name, family, record_id, signal, value, opened_at, closed_at, reason
      )
      values ($1, $1, $2, $3, 'plugin_configs', $4, 'error', null, '2026-03-01T09:30:00Z', $5, $6)`,
      [project.id, alert.id, alert.name, recordId, closed, closed && 'recovered'],
    );
  await open(one, record.id, null);
  await open(one, 4711, '2026-03-01T10:00:00Z');
  await open(two, record.id, '2026-03-01T10:00:00Z');
  const listed = async (path: string) => {
    const { body } = await call<Wire<'incidentPage'>>('GET', path);
    return [
      body.count,
      body.results.map(({ alert_id, record_id, closed_at }) => [alert_id, record_id, closed_at === null]),
    ];
  };
  expect(await listed('/incidents')).toEqual([
    3,
    [
      [one.id, record.id, true],
      [two.id, record.id, false],
      [one.id, 4711, false],
    ],
  ]);
  expect(await listed(`/alerts/${one.id}/incidents`)).toEqual([
    2,
    [
      [one.id, record.id, true],
      [one.id, 4711, false],
    ],
  ]);
  expect(await listed(`/incidents?record=${record.id}&open=false`)).toEqual([
    1,
    [[two.id, record.id, false]],
  ]);
  expect(await listed('/incidents?open=true&limit=1')).toEqual([1, [[one.id, record.id, true]]]);
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

test('changes to alerts are audited with their author', async ({ call, service, project }) => {
  const { body: alert } = await call<Wire<'alert'>>('POST', '/alerts', { body: RULE });
  await call('PATCH', `/alerts/${alert.id}`, { body: { enabled: false } });
  await call('PATCH', `/alerts/${alert.id}`, { body: { enabled: false } });
  await call('DELETE', `/alerts/${alert.id}`);
  const { token } = await service.issueKey();
  const { body } = await call<Wire<'auditPage'>>('GET', '/../../audit', { token });
  const own = body.results.filter(({ subject }) => subject.type === 'alert' && subject.id === alert.id);
  expect(own.map(({ action, actor }) => [action, actor.label])).toEqual([
    ['alert_deleted', 'test key'],
    ['alert_changed', 'test key'],
    ['alert_created', 'test key'],
  ]);
  expect(own[0]?.subject.name).toBe('Errors');
  expect(project.id).toBeGreaterThan(0);
});
