import { endOverdueJobs } from '@plugin-config/domain';
import type { WireErrorBody } from '@plugin-config/contract';
import { expect } from 'vitest';
import { sampled } from '../../../../tools/property-runs.ts';
import { caller, type Call } from '../testing/caller.ts';
import { ALL, JOBS, PLUGIN, test } from './plugin-job.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const ROUNDS = sampled(
  Array.from({ length: 60 }, (_, round) => round),
  8,
);
const NEVER_MS = 1e12;
const ENDED = ['succeeded', 'failed', 'cancelled'];

/** Resolves after some round trips, which differ from round to round. */
async function afterSome<T>(round: number, call: () => Promise<T>): Promise<T> {
  for (let n = 0; n < round % 4; n++) await new Promise((resolve) => setImmediate(resolve));
  return call();
}

async function endings(call: Call, path: string): Promise<readonly string[]> {
  const { body } = await call<Wire<'activityView'>>('GET', `${path}/activity?limit=500`);
  return body.results
    .map(({ activity }) => activity)
    .filter((activity) => ENDED.some((state) => activity === `job_${state}`));
}

test('a job is either cancelled or claimed', async ({ call, plugin }) => {
  const { path, queue, claim, end, job } = plugin;
  for (const round of ROUNDS) {
    const id = await queue({ type: 'export' });
    const [cancelled, taken] = await Promise.all([
      afterSome(round, () => call('DELETE', `${path}/jobs/${id}`)),
      afterSome(3 - (round % 4), () => claim()),
    ]);
    const isClaimed = taken.length > 0;
    expect([cancelled.status, isClaimed]).toBeOneOf([
      [204, false],
      [202, true],
    ]);
    expect(await job(id)).toMatchObject(
      isClaimed ? { state: 'running', cancelling: true } : { state: 'cancelled', attempts: 0 },
    );
    expect((await end(id)).status).toBe(isClaimed ? 204 : 409);
    expect(await job(id)).toMatchObject({ state: isClaimed ? 'succeeded' : 'cancelled' });
  }
  expect(await endings(call, path)).toHaveLength(ROUNDS.length);
});

test('a result counts, or its record was deleted first', async ({ call, plugin, service }) => {
  const { path, queue, claim, end, job } = plugin;
  for (const round of ROUNDS) {
    const [id, next] = [await queue({ type: 'export' }), await queue({ type: 'export' })];
    expect(await claim()).toMatchObject([{ id }]);
    const [result] = await Promise.all([
      afterSome(round, () => end(id)),
      afterSome(3 - (round % 4), () => call('PATCH', path, { body: { deleted: true } })),
    ]);
    while ((await endOverdueJobs(service.ports, NEVER_MS)) > 0);
    const deleted = { state: 'failed', error: 'The record was deleted.' };
    expect([result.status, await job(id)]).toMatchObject(
      result.status === 204 ? [204, { state: 'succeeded' }] : [409, deleted],
    );
    // Nobody takes the next one, unless it was opened before the deletion.
    expect(await claim()).toEqual([]);
    while ((await endOverdueJobs(service.ports, NEVER_MS)) > 0);
    expect(await job(next)).toMatchObject(deleted);
    expect((await call('PATCH', path, { body: { deleted: false, enabled: true } })).status).toBe(200);
  }
  expect(await endings(call, path)).toHaveLength(2 * ROUNDS.length);
});

test('a restored record goes on with the jobs that have not ended yet', async ({ call, plugin, service }) => {
  const { path, queue, claim, end } = plugin;
  for (const round of ROUNDS) {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await queue({ type: 'export' }));
    await call('PATCH', path, { body: { deleted: true } });
    await Promise.all([
      afterSome(round, () => call('PATCH', path, { body: { deleted: false, enabled: true } })),
      afterSome(3 - (round % 4), () => endOverdueJobs(service.ports, NEVER_MS)),
    ]);
    while ((await endOverdueJobs(service.ports, NEVER_MS)) > 0);
    const left = async () => (await call<Wire<'jobPage'>>('GET', `${path}/jobs?state=queued`)).body.results;
    const order: string[] = [];
    await expect
      .poll(async () => {
        await service.ports.tasks.wake();
        for (const { id } of await claim()) {
          order.push(id);
          expect((await end(id)).status).toBe(204);
        }
        return (await left()).length;
      })
      .toBe(0);
    expect(order).toEqual(ids.slice(3 - order.length));
  }
  expect(await endings(call, path)).toHaveLength(3 * ROUNDS.length);
});

test('a key that is revoked while it waits gets no job', async ({ call, plugin, service, project }) => {
  const { path, queue, job, claim } = plugin;
  for (const round of ROUNDS.slice(0, 4)) {
    const { key, token } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
    const runtime = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const waiting = runtime<Wire<'claimedJobs'>>('POST', `${JOBS}/claim`, {
      body: { instance: 'b', wait: 50 },
    });
    const [id] = await Promise.all([
      afterSome(round, () => queue({ type: 'export' })),
      call('DELETE', `/../../keys/${key.id}`),
    ]);
    const { status, body } = await waiting;
    if (status === 200) expect(body.jobs).toMatchObject([{ id }]);
    else {
      expect(status).toBe(401);
      expect(await claim({ wait: 10 })).toMatchObject([{ id, attempt: 1 }]);
    }
    await call('DELETE', `${path}/jobs/${id}`);
    await plugin.end(id, { instance: (await job(id)).instance, state: 'failed' });
  }
});

test('a key for some plugins has no other jobs', async ({ call, plugin, service, project }) => {
  const { queue, claim, end } = plugin;
  const { token } = await service.issueKey({
    projectIds: [project.id],
    pluginIds: [PLUGIN + 5],
    scopes: ['plugin_runtime'],
  });
  const other = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  const id = await queue({ type: 'export' });
  for (const plugins of [[], [PLUGIN], ['slug:nothing'], [PLUGIN, PLUGIN + 5]]) {
    const body = { instance: 'a', plugins, limit: 10 };
    expect((await other('POST', `${JOBS}/claim`, { body })).body).toEqual({ jobs: [] });
  }
  expect(await claim()).toMatchObject([{ id }]);
  const result = { instance: 'a', state: 'succeeded' };
  expect((await other('PATCH', `${JOBS}/${id}`, { body: { instance: 'a' } })).status).toBe(404);
  expect((await other('PUT', `${JOBS}/${id}/result`, { body: result })).status).toBe(404);
  expect((await end(id)).status).toBe(204);
  // A change is no job of a plugin.
  const { headers } = await call('POST', `${plugin.path}/job`, { body: { name: 'later' } });
  const change = headers.get('location')?.split('/').at(-1) ?? '';
  for (const unknown of [change, 'x', '0', crypto.randomUUID()]) {
    expect((await end(unknown)).status).toBe(404);
  }
});

test('a claim takes ten jobs, one of each record', async ({ call, plugin, project }) => {
  const plugins = Array.from({ length: 10 }, (_, n) => PLUGIN + 100 + n);
  const types = Array.from({ length: 10 }, (_, n) => `t${n}`);
  const queued: string[] = [];
  for (const [n, one] of plugins.entries()) {
    const { body: record } = await call('POST', ALL, { body: { plugin: one, enabled: true } });
    for (const type of [types[n], types[9 - n]]) {
      const job = { type, payload: 'x'.repeat(60_000) };
      const { headers } = await call('POST', `${ALL}/${record.id}/job`, { body: { job } });
      queued.push(headers.get('location')?.split('/').at(-1) ?? '');
    }
  }
  const firsts = queued.filter((_, n) => n % 2 === 0);
  const taken = await plugin.claim({ plugins, types, limit: 10, wait: 50 });
  expect(new Map(taken.map(({ id, project_id }) => [id, project_id]))).toEqual(
    new Map(firsts.map((id) => [id, project.id])),
  );
  expect(await plugin.claim({ plugins, types, limit: 10 })).toEqual([]);
  for (const id of firsts) expect((await plugin.end(id)).status).toBe(204);
});

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const RESULT = '"instance": "a", "state": "failed"';

test.for([
  ['PATCH', '{"instance": "a", "progress": NaN}', 400, null],
  ['PATCH', '{"instance": "a", "progress": 1e999}', 400, 'progress'],
  ['PATCH', '{"instance": "a", "progress": -0.1}', 400, 'progress'],
  ['PATCH', '{"instance": "a", "progress": "1"}', 400, 'progress'],
  ['PATCH', '{"instance": "a", "message": "\\u0000"}', 400, 'message'],
  ['PATCH', '{"instance": "a", "message": "\\ud800"}', 400, 'message'],
  ['PATCH', '{"instance": "a\\u0000"}', 400, 'instance'],
  ['PATCH', '{"instance": "a", "lease_seconds": 601}', 400, 'lease_seconds'],
  ['PATCH', '{"instance": "a", "lease_seconds": 1e300}', 400, 'lease_seconds'],
  ['PUT', '{"instance": "\\u0000", "state": "failed"}', 400, 'instance'],
  ['PUT', '{"instance": "a", "state": "cancelled"}', 400, 'state'],
  ['PUT', `{${RESULT}, "retry": "yes"}`, 400, 'retry'],
  ['PUT', `{${RESULT}, "output": "${'x'.repeat(64 * 1024 + 1)}"}`, 413, 'output'],
  ['PUT', `{${RESULT}, "output": ${nested(10_000)}}`, 400, null],
  ['PUT', `{${RESULT}, "error": "\\u0000"}`, 400, 'error'],
  ['PUT', `{${RESULT}, "output": "\\u0000"}`, 400, 'output'],
] as const)('what a runtime says is rejected: %#', async ([method, body, ...rejected], { plugin, call }) => {
  const id = await plugin.queue({ type: 'export' });
  await plugin.claim();
  const path = method === 'PUT' ? `${JOBS}/${id}/result` : `${JOBS}/${id}`;
  const response = await plugin.runtime<WireErrorBody>(method, path, { body });
  expect([response.status, response.body.attr]).toEqual(rejected);
  expect(await plugin.job(id)).toMatchObject({ state: 'running', progress: null, message: null });
  await call('DELETE', `${plugin.path}/jobs/${id}`);
});

test('a long error is truncated, and an output comes back as it was', async ({ plugin }) => {
  const id = await plugin.queue({ type: 'export' });
  await plugin.claim();
  const output = { '': [-0, 1e300, 'ä'.repeat(10_000)] };
  const result = { state: 'failed', error: 'y'.repeat(20_000), output };
  for (let times = 0; times < 2; times++) expect(await plugin.end(id, result)).toMatchObject({ status: 204 });
  const { error, output: shown } = await plugin.job(id);
  expect(error).toMatch(/^y{10000}… \[10000 more characters\]$/);
  expect(JSON.stringify(shown)).toBe(JSON.stringify(output));
});
