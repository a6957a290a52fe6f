import { jobWithOutput } from '@plugin-config/contract';
import { expect } from 'vitest';
import { caller } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
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

function jobIdOf({ headers }: { readonly headers: Headers }): string {
  return headers.get('location')?.split('/').at(-1) ?? '';
}
