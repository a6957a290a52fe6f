import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { ALL, CANARY, JOBS, PLUGIN, REGISTRATION, test } from './plugin-job.fixture.ts';
import type { Wire } from '../testing/wire.ts';

test('a runtime takes a job with secrets, says how far it is, and ends it', async ({ call, plugin }) => {
  const { path, id: recordId, runtime, queue, claim, end, job } = plugin;
  const id = await queue({ type: 'replay', payload: { from: 'now' }, operation: 'stop' });
  expect(await job(id)).toMatchObject({ state: 'queued', type: 'replay', plugin: PLUGIN, output: null });
  const [taken, ...others] = await claim({ limit: 10 });
  expect(others).toEqual([]);
  expect(taken).toEqual({
    id,
    project_id: expect.any(Number),
    external_id: null,
    record_id: recordId,
    plugin: PLUGIN,
    plugin_slug: null,
    type: 'replay',
    payload: { from: 'now' },
    operation: 'stop',
    attempt: 1,
    lease_expires_at: expect.any(String),
    config: { host: 'a', token: CANARY },
    config_version: 1,
  });
  const renewal = { instance: 'a', progress: 0.5, message: 'Half of it' };
  const renewed = await runtime('PATCH', `${JOBS}/${id}`, { body: renewal });
  expect(renewed).toMatchObject({ status: 200, body: { cancelled: false } });
  expect(await job(id)).toMatchObject({
    state: 'running',
    instance: 'a',
    progress: 0.5,
    message: 'Half of it',
  });
  const output = { sent: 120, seen: CANARY };
  for (let times = 0; times < 2; times++) expect((await end(id, { output })).status).toBe(204);
  expect(await job(id)).toMatchObject({ state: 'succeeded', error: null, output });
  const activity = await call<Wire<'activityView'>>('GET', `${path}/activity`);
  expect(activity.body.results.map((entry) => entry.activity)).toEqual([
    'job_succeeded',
    'job_queued',
    'created',
  ]);
  expect(activity.text).not.toContain(CANARY);
  expect((await call('GET', `${path}/jobs`)).text).not.toContain(CANARY);
});

test('a claim waits for a job, and a request for the end of one', async ({ plugin }) => {
  const { queue, claim, end, job } = plugin;
  const waiting = claim({ wait: 50, types: ['replay'] });
  await queue({ type: 'export' });
  expect(await claim({ types: ['check'] })).toEqual([]);
  const [first] = await claim({ wait: 50 });
  expect(first).toMatchObject({ type: 'export' });
  const id = await queue({ type: 'replay', payload: { from: 'now' } });
  const ended = job(id, '?wait=50');
  await end(first?.id ?? '');
  expect(await waiting).toMatchObject([{ id }]);
  await end(id, { state: 'failed', error: 'Away.' });
  expect(await ended).toMatchObject({ state: 'failed', error: 'Away.' });
});

test.for([
  [{ type: 'unknown' }, 400, 'job.type', 'The plugin takes no jobs of this type. Its types: replay, export.'],
  [{ type: 'replay' }, 400, 'job.payload', 'This must be object.'],
  [{ type: 'replay', payload: { from: 1 } }, 400, 'job.payload.from', 'This must be string.'],
  [
    { type: 'replay', payload: { from: '', no: 1 } },
    400,
    'job.payload',
    'This must NOT have additional properties: "no".',
  ],
  [
    { type: 'export', payload: Array.from({ length: 70 }, () => 'x'.repeat(1000)) },
    413,
    'job.payload',
    'Ensure this takes no more than 65536 bytes.',
  ],
] as const)('a job that the plugin does not take is rejected: %#', async (expected, { call, plugin }) => {
  const [job, ...rejected] = expected;
  const { status, body } = await call<WireErrorBody>('POST', `${plugin.path}/job`, { body: { job } });
  expect([status, body.attr, body.detail]).toEqual(rejected);
  expect(await plugin.claim()).toEqual([]);
});

test.for([
  [{ jobs: [{ type: 'check' }] }, 'jobs.0.type'],
  [{ jobs: [{ type: 'a' }, { type: 'a' }] }, 'jobs'],
  [{ jobs: [{ type: 'a', payload_schema: { type: 'nothing' } }] }, 'jobs'],
  [{ jobs: [{ type: 'a', payload_schema: { pattern: '(?=a)' } }] }, 'jobs'],
  [{ jobs: [{ type: 'a', payload_schema: { $ref: 'https://example.com/schema' } }] }, 'jobs'],
  [{ jobs: [{ type: 'a', timeout_seconds: 1 }] }, 'jobs.0.timeout_seconds'],
] as const)('a registration with %j is rejected', async ([fields, attr], { call }) => {
  const body = { name: 'GeoIP', ...fields };
  const response = await call<WireErrorBody>('PUT', `/../../plugins/${PLUGIN + 1}`, { body });
  expect([response.status, response.body.attr]).toEqual([400, attr]);
});

test('records show the types without the schemas of their payloads', async ({ call, plugin }) => {
  const { body } = await call('GET', `${plugin.path}/`);
  expect(JSON.parse(String(body.plugin_info))).toMatchObject({
    jobs: [{ type: 'replay', name: 'Send again' }, { type: 'export' }],
    checks: true,
  });
  expect(body.plugin_info).not.toContain('payload_schema');
  const found = await call('GET', `/../../plugins/${PLUGIN}`);
  expect(found.body).toMatchObject(REGISTRATION);
});

test('a running job is cancelled by asking its runtime', async ({ call, plugin }) => {
  const { path, runtime, queue, claim, end, job } = plugin;
  const id = await queue({ type: 'export' });
  await claim();
  expect((await call('DELETE', `${path}/jobs/${id}`)).status).toBe(202);
  expect(await job(id)).toMatchObject({ state: 'running', cancelling: true });
  const { body } = await runtime<{ cancelled: boolean }>('PATCH', `${JOBS}/${id}`, {
    body: { instance: 'a' },
  });
  expect(body.cancelled).toBe(true);
  await end(id, { state: 'failed', error: 'Stopped.', retry: true });
  expect(await job(id)).toMatchObject({ state: 'cancelled', error: 'Stopped.' });
});

test('another runtime, another key and another family do not get a job', async ({
  call,
  plugin,
  service,
}) => {
  const { queue, claim, end, runtime } = plugin;
  const id = await queue({ type: 'export' });
  const { body: other } = await call<{ readonly id: number }>('POST', '/..', { body: { name: 'Other' } });
  const { token } = await service.issueKey({ projectIds: [other.id], scopes: ['plugin_runtime'] });
  const stranger = caller({ base: `${service.url}/api/projects/${other.id}`, token });
  const body = { instance: 'a' };
  expect((await stranger('POST', `${JOBS}/claim`, { body })).body).toEqual({ jobs: [] });
  const families = '/../../runtime/pipeline_transformation_configs/jobs';
  expect((await runtime('POST', `${families}/claim`, { body })).body).toEqual({ jobs: [] });
  expect(await claim()).toMatchObject([{ id }]);
  const limited = await service.issueKey({ scopes: ['plugin_runtime'], pluginIds: [PLUGIN + 1] });
  const ofAnother = caller({ base: `${service.url}/api/projects/${other.id}`, token: limited.token });
  expect((await ofAnother('POST', `${JOBS}/claim`, { body })).body).toEqual({ jobs: [] });
  for (const send of [stranger, ofAnother]) {
    expect((await send('PATCH', `${JOBS}/${id}`, { body })).status).toBe(404);
    expect((await send('PUT', `${JOBS}/${id}/result`, { body: { ...body, state: 'failed' } })).status).toBe(
      404,
    );
  }
  expect((await runtime('PATCH', `${families}/${id}`, { body })).status).toBe(404);
  expect(await end(id, { instance: 'b' })).toMatchObject({ status: 409, body: { code: 'lease_lost' } });
  expect((await call('POST', `${JOBS}/claim`, { body: { instance: 'a b' } })).status).toBe(400);
  expect((await end(id)).status).toBe(204);
});

test('a configuration is tested before it is stored', async ({ call, plugin, service, project }) => {
  const { path, id: record, runtime, claim, end } = plugin;
  const config = { host: 'b', token: '********' };
  const queued = await call('POST', `${ALL}/checks`, { body: { plugin: PLUGIN, config, record } });
  const id = String(queued.body.id);
  expect([queued.status, queued.headers.get('location')]).toEqual([
    202,
    `${service.url}/api/projects/${project.id}${ALL}/checks/${id}`,
  ]);
  const check = async (query = '') => (await call<Wire<'check'>>('GET', `${ALL}/checks/${id}${query}`)).body;
  expect(await check()).toMatchObject({ state: 'queued', ok: null, errors: [] });
  const [taken] = await claim({ types: ['check'] });
  expect(taken).toMatchObject({
    id,
    record_id: null,
    type: 'check',
    payload: null,
    config: { host: 'b', token: CANARY },
    config_version: null,
  });
  for (const output of [null, { ok: 1 }, { ok: true, errors: [{}] }]) {
    expect(await end(id, { output })).toMatchObject({ status: 400, body: { attr: 'output' } });
  }
  const ended = check('?wait=50');
  const errors = [{ attr: 'token', detail: 'It is rejected.' }, { detail: 'And more.' }];
  expect((await end(id, { output: { ok: false, errors, details: { ms: 3 } } })).status).toBe(204);
  expect(await ended).toMatchObject({
    state: 'succeeded',
    ok: false,
    errors: [errors[0], { attr: null, detail: 'And more.' }],
    details: { ms: 3 },
  });
  expect((await call('GET', `${path}/jobs`)).body).toMatchObject({ count: 0 });
  expect((await runtime('GET', `${ALL}/checks/${id}`)).status).toBe(403);
});

test.for([
  [{ config: {} }, 'host'],
  [{ config: { host: 5 } }, 'host'],
  [{ config: { host: 'a', token: 'x' }, record: 1e9 }, 'record'],
  [{ plugin: 4731, config: {} }, 'plugin'],
  [{ plugin: 'slug:nobody', config: {} }, 'plugin'],
] as const)('a check of %j is rejected', async ([body, attr], { call, plugin }) => {
  const response = await call<WireErrorBody>('POST', `${ALL}/checks`, { body: { plugin: PLUGIN, ...body } });
  expect([response.status, response.body.attr]).toEqual([400, attr]);
  expect(await plugin.claim()).toEqual([]);
});
