import { anAuthor } from '@plugin-config/testing';
import { startTracing } from '@plugin-config/tracing';
import { otlpReceiver, type OtlpReceiver } from '@plugin-config/tracing/testing';
import { expect, onTestFinished, test as base } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { follow } from '../testing/follow.ts';
import { ownPage } from '../testing/own-page.ts';
import { openService, type Service } from '../testing/service.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const LIST = 'GET /api/projects/:project_id/plugin_configs';

interface Fixtures {
  readonly traced: { readonly service: Service; readonly receiver: OtlpReceiver; readonly token: string };
  readonly call: Call;
}

const test = base.extend<Fixtures>({
  traced: [
    async ({}, use) => {
      await using receiver = await otlpReceiver();
      const tracing = await startTracing({
        endpoint: receiver.url,
        headers: '',
        serviceName: 'plugin-config-http',
        serviceVersion: '1',
        sampler: 'parentbased_always_on',
        ratio: 1,
      });
      const service = await openService();
      const { token } = await service.issueKey();
      await service.ports.projects.create({ name: 'Traced' }, anAuthor({ at: new Date() }));
      await use({ service, receiver, token });
      await service.close();
      await tracing.close();
    },
    { scope: 'file' },
  ],
  call: async ({ traced: { service, token } }, use) => {
    await use(caller({ base: `${service.url}/api/projects/@current`, token }));
  },
});

const linesOf = ({ log }: Service) => log.map((line) => JSON.parse(line) as Record<string, unknown>);

test('a request is a child span of its caller, and the parent of its statements', async ({
  call,
  traced,
}) => {
  const { headers, status } = await call('GET', '/plugin_configs?search=private', {
    headers: { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'traced-list' },
  });
  expect([status, headers.get('x-trace-id')]).toEqual([200, TRACE]);
  expect(linesOf(traced.service).find((line) => line['request_id'] === 'traced-list')).toMatchObject({
    trace_id: TRACE,
  });
  const [request] = await traced.receiver.named(LIST);
  expect(request).toMatchObject({
    service: 'plugin-config-http',
    traceId: TRACE,
    parentSpanId: PARENT,
    isFailed: false,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/api/projects/:project_id/plugin_configs',
      'http.response.status_code': 200,
      'plugin_config.project_id': expect.any(Number),
    },
  });
  const steps = traced.receiver.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(steps.length).toBe(2);
  for (const { name, attributes } of steps)
    expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': name });
});

test('reading a body and waiting for a transaction preserve the trace', async ({ call, traced }) => {
  const { body, headers } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: 'private' } });
  const traceId = headers.get('x-trace-id') ?? '';
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  await call('PATCH', '/plugin_configs/rearrange', { body: { orders: { [body.id]: 3 } } });
  await traced.receiver.named('PATCH /api/projects/:project_id/plugin_configs/rearrange');
  const created = traced.receiver.spans.filter((span) => span.traceId === traceId);
  expect(created.length).toBeGreaterThan(2);
  expect(created.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
    'POST /api/projects/:project_id/plugin_configs',
  ]);
  const rearranged = traced.receiver.spans.find(({ name }) => name.startsWith('PATCH'));
  const names = traced.receiver.spans
    .filter((span) => span.traceId === rearranged?.traceId)
    .map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['transaction', 'begin', 'commit']));
});

test('a failed request is marked, an unsampled one is only logged, and probes have no span', async ({
  call,
  traced: { service, receiver, token },
}) => {
  const traceparent = `00-${TRACE.replace('4b', '5c')}-${PARENT}-00`;
  const { headers } = await call('GET', '/plugin_configs', { headers: { traceparent } });
  expect(headers.get('x-trace-id')).toBe(TRACE.replace('4b', '5c'));
  expect(linesOf(service).at(-1)).toMatchObject({ trace_id: TRACE.replace('4b', '5c') });
  for (const path of ['/livez', '/readyz', '/metrics', '/nothing'])
    expect((await fetch(service.url + path)).headers.has('x-trace-id')).toBe(false);
  const { page } = service.ports.jobs;
  Object.assign(service.ports.jobs, { page: () => Promise.reject(new Error(`secret ${token}`)) });
  const { body } = await call('POST', '/plugin_configs', { body: { plugin: 2 } });
  expect((await call('GET', `/plugin_configs/${body.id}/jobs`)).status).toBe(500);
  Object.assign(service.ports.jobs, { page });
  const [failed] = await receiver.named('GET /api/projects/:project_id/plugin_configs/:id/jobs');
  expect(failed).toMatchObject({ isFailed: true, attributes: { 'error.type': '500' } });
  expect(receiver.spans.filter(({ traceId }) => traceId === TRACE.replace('4b', '5c'))).toEqual([]);
  expect(receiver.spans.filter(({ name }) => /livez|readyz|metrics|nothing/.test(name))).toEqual([]);
});

test('the span of a stream ends before its events', { tags: ['long'] }, async ({ call, traced }) => {
  const { body } = await call('POST', '/plugin_configs', { body: { plugin: 3 } });
  await using stream = await follow(`${traced.service.url}/api/projects/@current/plugin_configs/stream`, {
    token: traced.token,
  });
  const [opened] = await traced.receiver.named('GET /api/projects/:project_id/plugin_configs/stream');
  const count = () => traced.receiver.spans.filter(({ traceId }) => traceId === opened?.traceId).length;
  const before = count();
  await call('PATCH', `/plugin_configs/${body.id}`, { body: { name: 'changed' } });
  await stream.named(1);
  await call('GET', `/plugin_configs/${body.id}/jobs`);
  await traced.receiver.named('PATCH /api/projects/:project_id/plugin_configs/:id');
  expect(count()).toBe(before);
});

test('a span only has the method, route, status and project of a request, and the metrics count the spans', async ({
  traced: { service, receiver, token },
}) => {
  const own = ownPage(service.url);
  const anonymous = caller({ base: service.url, token: null });
  const { headers } = await anonymous('POST', '/api/session', { headers: own, body: { key: token } });
  const [cookie = ''] = headers.getSetCookie();
  await anonymous('GET', '/api/session', { headers: { ...own, cookie } });
  await receiver.named('POST /api/session');
  await receiver.named('GET /api/session');
  const texts = JSON.stringify(receiver.spans);
  const encrypted = /=([\w-]{96});/.exec(cookie)?.[1] ?? '';
  expect(encrypted).not.toBe('');
  for (const secret of [
    token,
    service.ports.hasher.hash(token),
    encrypted,
    'private',
    'changed',
    'select',
    '@current',
    'secret',
  ])
    expect([secret, texts.includes(secret)]).toEqual([secret, false]);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^trace_spans_exported_total [1-9]/m);
  expect(metrics).toMatch(/^trace_spans_dropped_total{reason="queue_full"} 0$/m);
});

test('no span has a code, a cookie or a token of somebody who signs in', async ({ traced: { receiver } }) => {
  const publicUrl = 'https://plugins.example.com';
  const client = { issuer: 'https://id.example.com', clientId: 'console', clientSecret: 'canary-secret' };
  const rules = { claim: 'groups', roles: [] };
  const service = await openService({ publicUrl, trustProxy: true, oidc: { ...client, publicUrl, rules } });
  onTestFinished(() => service.close());
  const callback = `${service.url}/api/session/oidc/callback?code=canary-code&state=canary-state`;
  const headers = { cookie: '__Secure-plugin_config_sign_in=canary-cookie' };
  expect((await fetch(callback, { headers })).status).toBe(400);
  const { token: key } = await service.issueKey();
  const { id } = await service.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
  const rights = { scopes: ['plugin:read'], project_ids: [id] };
  const issue = caller({ base: service.url, token: key });
  const { token } = (await issue<{ readonly token: string }>('POST', '/api/tokens', { body: rights })).body;
  expect((await caller({ base: service.url, token })('GET', '/api/projects')).status).toBe(200);
  for (const name of ['GET /api/session/oidc/callback', 'POST /api/tokens', 'GET /api/projects']) {
    await receiver.named(name);
  }
  const texts = JSON.stringify(receiver.spans);
  for (const secret of ['canary', key, token])
    expect([secret, texts.includes(secret)]).toEqual([secret, false]);
});
