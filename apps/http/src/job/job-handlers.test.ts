import { job as jobSchema, jobWithOutput, type WireErrorBody } from '@plugin-config/contract';
import type { RunningJob } from '@plugin-config/domain';
import { openDatabase, postgresPorts } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { claimJob } from '@plugin-config/testing';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test, type Service } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

test('queuing a job returns the current record', async ({ call, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  for (const body of [{ enabled: true, name: 'later' }, {}]) {
    const { status, body: response, headers } = await call('POST', `${path}/job`, { body });
    expect([status, response]).toEqual([200, record]);
    const { token } = await service.issueKey({ scopes: ['plugin:read'] });
    const found = await caller({ base: '', token })<Wire<'job'>>('GET', headers.get('location') ?? '');
    expect(jobWithOutput.strict().parse(found.body)).toEqual(found.body);
    expect([found.status, found.body]).toMatchObject([
      200,
      { state: 'queued', attempts: 0, error: null, started_at: null, finished_at: null },
    ]);
  }
  expect((await call('GET', path)).body).toEqual(record);
});

test('a job makes the requested change', async ({ call, service }) => {
  // A record has one running job at a time, so each job gets a record.
  const queued = async (body: unknown) => {
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
    const id = jobIdOf(await call('POST', `/plugin_configs/${record.id}/job`, { body }));
    return (await claimJobs(service)).find((job) => job.id === id)?.change;
  };
  expect(await queued({ name: null, order: 3 })).toEqual({ name: null, order: 3 });
});

test.for([
  [{ job: {} }, 'required', 'job.type'],
  [{ job: { type: '' } }, 'blank', 'job.type'],
  [{ job: { type: 5 } }, 'invalid_input', 'job.type'],
  [{ job: 'x' }, 'invalid_input', 'job'],
  [{ job: { type: 'check' } }, 'invalid_input', 'job.type'],
  [{ job: { type: 'no type' } }, 'invalid_input', 'job.type'],
  [{ job: { type: 'export' }, name: 'x' }, 'invalid_input', 'job'],
  [{ enabled: 'x' }, 'invalid_input', 'enabled'],
  [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
  [{ order: -1 }, 'min_value', 'order'],
] as const)('%j is rejected immediately: %s, %s', async ([body, code, attr], { call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const response = await call<WireErrorBody>('POST', `/plugin_configs/${record.id}/job`, { body });
  expect([response.status, response.body.code, response.body.attr]).toEqual([400, code, attr]);
});

test('a job is accepted even if the current state of the record rules it out', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7, deleted: true } });
  expect((await call('POST', `/plugin_configs/${record.id}/job`, { body: { enabled: true } })).status).toBe(
    200,
  );
});

test('a job is only found under its own record', async ({ call }) => {
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

test('the jobs of a record are paginated, newest first', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift(jobIdOf(await call('POST', `${path}/job`)));
  const { status, body } = await call<Wire<'jobPage'>>('GET', `${path}/jobs?limit=2`);
  expect([status, body.count, body.previous, new Set(body.results.map(({ id }) => id)).size]).toEqual([
    200,
    3,
    null,
    2,
  ]);
  for (const one of body.results) expect(jobSchema.strict().parse(one)).toEqual(one);
  expect(body.next).toMatch(/\/jobs\?limit=2&offset=2$/);
  const rest = await call<Wire<'jobPage'>>('GET', `${path}/jobs?limit=2&offset=2`);
  const all = [...body.results, ...rest.body.results].map(({ id }) => id);
  expect(all.toSorted()).toEqual(ids.toSorted());
});

test('a queued job can be cancelled once, which the list and the history show', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  const [other, id] = [
    jobIdOf(await call('POST', `${path}/job`)),
    jobIdOf(await call('POST', `${path}/job`)),
  ];
  for (let i = 0; i < 2; i++) {
    const { status, text } = await call('DELETE', `${path}/jobs/${id.toUpperCase()}`);
    expect([status, text]).toEqual([204, '']);
  }
  const listed = async (state: string) =>
    (await call<Wire<'jobPage'>>('GET', `${path}/jobs?state=${state}`)).body.results.map((one) => one.id);
  expect(await listed('cancelled')).toEqual([id]);
  expect(await listed('queued')).toEqual([other]);
  const { body } = await call<Wire<'activityView'>>('GET', `${path}/activity`);
  expect(body.results.map(({ activity }) => activity)).toEqual([
    'job_cancelled',
    'job_queued',
    'job_queued',
    'created',
  ]);
  expect(body.results[0]?.actor.label).toBe('test key');
});

test('a job that is not queued cannot be cancelled; the 409 says why', async ({ call, service }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const path = `/plugin_configs/${record.id}`;
  const id = jobIdOf(await call('POST', `${path}/job`));
  await claimJobs(service);
  const response = await call<WireErrorBody>('DELETE', `${path}/jobs/${id}`);
  expect([response.status, response.body]).toEqual([
    409,
    {
      type: 'invalid_request',
      code: 'job_not_queued',
      detail: 'The job is running. Only a queued job can be cancelled.',
      attr: null,
    },
  ]);
});

test('an unknown state is rejected', async ({ call }) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7 } });
  const response = await call<WireErrorBody>('GET', `/plugin_configs/${record.id}/jobs?state=lost`);
  expect([response.status, response.body.code, response.body.attr]).toEqual([400, 'invalid_input', 'state']);
});

/** Claims all jobs, as a worker does. */
async function claimJobs({ databaseUrl }: Service): Promise<readonly RunningJob[]> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const ports = postgresPorts(database);
  const claimed: RunningJob[] = [];
  for (;;) {
    const job = await claimJob(ports);
    if (job === null) break;
    claimed.push(job);
  }
  await database.close();
  return claimed;
}

function jobIdOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('location')?.split('/').at(-1) ?? '';
}
