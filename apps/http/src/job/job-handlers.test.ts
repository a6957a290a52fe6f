import { job as jobSchema, type WireErrorBody, type WireJob } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

test('a job is queued, and the answer is the record as it stands', async ({ call, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  for (const body of [
    { enabled: true, name: 'later' },
    {},
    { job: { type: 'export', payload: { days: 7 }, operation: 'start' } },
  ]) {
    const { status, body: answer, headers } = await call('POST', `${path}/job`, { body });
    expect([status, answer]).toEqual([200, record]);
    const { token } = await service.issueKey({ scopes: ['plugin:read'] });
    const found = await caller({ base: '', token })<WireJob>('GET', headers.get('location') ?? '');
    expect(jobSchema.strict().parse(found.body)).toEqual(found.body);
    expect([found.status, found.body]).toMatchObject([
      200,
      { state: 'queued', attempts: 0, error: null, started_at: null, finished_at: null },
    ]);
  }
  expect((await call('GET', path)).body).toEqual(record);
});

test('the work of a job is what was asked for', async ({ call, service, project }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const queued = async (body: unknown) => {
    const { headers } = await call('POST', `/plugin_configs/${record.id}/job`, { body });
    const id = headers.get('location')?.split('/').at(-1) ?? '';
    return (
      await service.ports.jobs.find({ projectId: project.id, family: 'plugin_configs', id: record.id }, id)
    )?.work;
  };
  expect(await queued({ name: null, order: 3 })).toEqual({
    kind: 'change',
    change: { name: null, order: 3 },
  });
  expect(await queued({ job: { type: 'export' } })).toEqual({
    kind: 'task',
    task: { type: 'export', payload: null, operation: null },
  });
});

test.for([
  [{ job: {} }, 'required', 'job.type'],
  [{ job: { type: '' } }, 'blank', 'job.type'],
  [{ job: { type: 5 } }, 'invalid_input', 'job.type'],
  [{ job: 'x' }, 'invalid_input', 'job'],
  [{ enabled: 'x' }, 'invalid_input', 'enabled'],
  [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
  [{ order: -1 }, 'min_value', 'order'],
] as const)('%j is refused at once: %s, %s', async ([body, code, attr], { call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const answer = await call<WireErrorBody>('POST', `/plugin_configs/${record.id}/job`, { body });
  expect([answer.status, answer.body.code, answer.body.attr]).toEqual([400, code, attr]);
});

test('what only the state of the record refuses is accepted', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7, deleted: true } });
  expect((await call('POST', `/plugin_configs/${record.id}/job`, { body: { enabled: true } })).status).toBe(
    200,
  );
});

test('a job is found under its own record alone', async ({ call }) => {
  const [{ body: a }, { body: b }] = [
    await call('POST', '/plugin_configs', { body: { plugin: 7 } }),
    await call('POST', '/plugin_configs', { body: { plugin: 7 } }),
  ];
  const { headers } = await call('POST', `/plugin_configs/${a.id}/job`);
  const id = headers.get('location')?.split('/').at(-1) ?? '';
  expect((await call('GET', `/plugin_configs/${a.id}/jobs/${id.toUpperCase()}/`)).status).toBe(200);
  for (const path of [
    `${b.id}/jobs/${id}`,
    `${a.id}/jobs/1`,
    `${a.id}/jobs/x`,
    `${a.id}/jobs/0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f`,
  ]) {
    const { status, body } = await call<WireErrorBody>('GET', `/plugin_configs/${path}`);
    expect([path, status, body.detail]).toEqual([path, 404, 'Not found.']);
  }
});
