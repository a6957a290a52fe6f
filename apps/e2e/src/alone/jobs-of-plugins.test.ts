/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { metricOf, until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { cpuOf } from '../testing/cpu-of.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import type { Tenant } from '../testing/tenant.ts';

const PLUGIN = 7;
const UNSERVED = 8;
const JOBS = 10_000;
const RECORDS = 200;
const ROUNDS = 20;
const LONGEST_MS = 1_000;
const WAITS = 200;
const TENANTS = 10;
const MEASURED_MS = 10_000;
/** 50 reads a second. */
const READS_EVERY_MS = 20;

const running = serviceOfFile();

interface Runtime {
  readonly claim: (fields?: object) => Promise<readonly string[]>;
  readonly end: (id: string) => Promise<void>;
}

async function runtimeOf(
  { issueKey }: RunningService,
  tenants: readonly Tenant[],
  instance = 'a',
): Promise<Runtime> {
  const [one] = tenants as readonly [Tenant];
  const token = await issueKey(
    ['plugin_runtime'],
    tenants.map(({ projectId }) => projectId),
  );
  const call = async <T>(method: string, path: string, body: object): Promise<T | null> => {
    const response = await fetch(`${one.api}/api/runtime/plugin_configs/jobs${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instance, ...body }),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([expect.toBeOneOf([200, 204]), expect.any(String)]);
    return text === '' ? null : (JSON.parse(text) as T);
  };
  return {
    claim: async (fields = {}) => {
      const body = { plugins: [PLUGIN], ...fields };
      const claimed = await call<{ readonly jobs: readonly { readonly id: string }[] }>(
        'POST',
        '/claim',
        body,
      );
      return (claimed?.jobs ?? []).map(({ id }) => id);
    },
    end: async (id) => void (await call('PUT', `/${id}/result`, { state: 'succeeded' })),
  };
}

/** Takes and ends jobs until stopped, which is what `work` takes. */
async function whileServing<T>(runtime: Runtime, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const serving = (async () => {
    while (!done.signal.aborted) for (const id of await runtime.claim({ wait: 1 })) await runtime.end(id);
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await serving;
  }
}

async function queue({ call }: Tenant, record: number, type = 'replay'): Promise<string> {
  const { status, headers } = await call('POST', `/plugin_configs/${record}/job`, { job: { type } });
  expect(status).toBe(200);
  return headers.get('location')?.split('/').at(-1) ?? '';
}

/** Returns how long jobs take from request to end. */
async function timesOfJobs(tenant: Tenant): Promise<readonly number[]> {
  const record = await tenant.attach(PLUGIN);
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const start = performance.now();
    const id = await queue(tenant, record);
    const { body } = await tenant.call<{ state: string }>(
      'GET',
      `/plugin_configs/${record}/jobs/${id}?wait=50`,
    );
    expect(body.state).toBe('succeeded');
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** Compares with what jobs took without the others, because the machine may be busy. */
function expectUndelayed(name: string, { alone, times }: Record<'alone' | 'times', readonly number[]>): void {
  const [before, after] = [alone, times].map((all) => all.map(Math.round).join(' '));
  process.stdout.write(`ms that jobs take ${name}: ${after}; alone: ${before}\n`);
  expect((times.at(-1) ?? 0) - (alone.at(-1) ?? 0)).toBeLessThan(LONGEST_MS);
}

/** Adds copies of each unfinished job of a tenant directly to the database, behind it. */
async function copyJobs({ rows }: RunningService, { projectId }: Tenant, copies: number): Promise<void> {
  await rows(
    `with copied as (
       select nextval(pg_get_serial_sequence('task', 'id')) as task_id, gen_random_uuid() as id, j.*
       from (
         select project_id, record_id, work, state, attempts, actor_label, created_at, family, plugin, type, timeout_seconds
         from job where project_id = $1 and finished_at is null
       ) j, generate_series(1, $2)
     ),
     added as (
       insert into job (id, project_id, record_id, work, state, attempts, actor_label, created_at, family, plugin, type, timeout_seconds, task_id)
       select id, project_id, record_id, work, state, attempts, actor_label, created_at, family, plugin, type, timeout_seconds, task_id
       from copied
     )
     insert into task (id, kind, project_id, key, payload, lane, due_at)
     select task_id, 'plugin_job', project_id, record_id, id::text, family || ' ' || plugin || ' ' || type, 'infinity' from copied`,
    [projectId, copies],
  );
  await rows('analyze task, job');
}

test.for([1, RECORDS])(
  "10,000 jobs of a tenant with %s records do not delay a neighbour's",
  async (records) => {
    const service = running();
    const [busy, other] = [await service.tenant(), await service.tenant()];
    const alone = await whileServing(await runtimeOf(service, [other]), () => timesOfJobs(other));
    for (let n = 0; n < records; n++)
      await queue(busy, await busy.attach(PLUGIN), records === 1 ? 'replay' : `t${n}`);
    await copyJobs(service, busy, JOBS / records - 1);
    const bystander = await neighbour(await service.tenant());
    const times = await whileServing(await runtimeOf(service, [busy, other]), () => timesOfJobs(other));
    expectUndelayed(`beside 10,000 of ${records} records`, { alone, times });
    await bystander.expectUnaffected();
    const [left] = await service.rows<{ n: number }>(
      `select count(*)::integer as n from task where project_id = $1 and kind = 'plugin_job'`,
      [busy.projectId],
    );
    expect(left?.n).toBeGreaterThan(JOBS / 2);
  },
);

test('a plugin that nobody serves, with jobs in 3,000 projects, delays nobody', async () => {
  const service = running();
  const other = await service.tenant();
  const runtime = await runtimeOf(service, [other]);
  const alone = await whileServing(runtime, () => timesOfJobs(other));
  await service.rows(
    `with p as (insert into project (name, created_at) select 'Project', now() from generate_series(1, 3000) returning id)
     insert into task (kind, project_id, key, payload, lane)
     select 'plugin_job', id, -id, gen_random_uuid()::text, 'plugin_configs ${UNSERVED} replay' from p`,
  );
  const bystander = await neighbour(await service.tenant());
  const times = await whileServing(runtime, () => timesOfJobs(other));
  expectUndelayed('beside those of 3,000 projects', { alone, times });
  await bystander.expectUnaffected();
});

test('runtimes that wait for very many plugins delay nobody', async () => {
  const service = running();
  const { http } = service;
  const [greedy, other] = [await service.tenant(), await service.tenant()];
  const runtime = await runtimeOf(service, [other]);
  const alone = await whileServing(runtime, () => timesOfJobs(other));
  const many = await runtimeOf(service, [greedy]);
  const waits = Array.from({ length: WAITS }, async (_, n) =>
    many.claim({ wait: 50, plugins: Array.from({ length: 100 }, (__, m) => 1000 + 100 * n + m) }),
  );
  await until(async () => (await metricOf(await http.url(), 'http_connections')) >= WAITS);
  const times = await whileServing(runtime, () => timesOfJobs(other));
  expectUndelayed('beside waits for 20,000 plugins', { alone, times });
  await Promise.all(waits);
});

test('200 waiting claims take less than 50 reads a second, and one gets a job within 300 ms', async () => {
  const service = running();
  const { http, rows } = service;
  const tenants: Tenant[] = [];
  while (tenants.length < TENANTS) tenants.push(await service.tenant());
  const backends = async () =>
    (
      await rows<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name like '%http%'`,
      )
    ).map(({ pid }) => pid);
  /** How much of a core the app and its sessions use, in percent. */
  const used = async (): Promise<number> => {
    const before = new Map([http.child.pid, ...(await backends())].map((pid) => [pid, cpuOf([pid])]));
    await sleep(MEASURED_MS);
    const share = (pid: number | undefined): number =>
      (100_000 * (cpuOf([pid]) - (before.get(pid) ?? 0))) / MEASURED_MS;
    // The pool opens and closes connections.
    const kept = (await backends()).filter((pid) => before.has(pid));
    return [http.child.pid, ...kept].reduce<number>((sum, pid) => sum + share(pid), 0);
  };
  const [tenant] = tenants as [Tenant];
  const record = await tenant.attach(PLUGIN);
  const idle = await used();
  const timer = setInterval(() => void tenant.pluginConfigs.retrieve(record), READS_EVERY_MS);
  const reading = (await used()) - idle;
  clearInterval(timer);
  const runtimes: Runtime[] = [];
  for (const each of tenants) runtimes.push(await runtimeOf(service, [each]));
  const waits = runtimes.flatMap((runtime) =>
    Array.from({ length: WAITS / TENANTS }, async () => runtime.claim({ wait: 50, types: ['never'] })),
  );
  await until(async () => (await metricOf(await http.url(), 'http_connections')) >= WAITS);
  const waiting = (await used()) - idle;
  process.stdout.write(`% of a core: ${JSON.stringify({ idle, reading, waiting })}\n`);
  expect(waiting).toBeLessThan(reading);

  const [runtime] = runtimes as [Runtime];
  const times: number[] = [];
  for (let n = 0; n < 100; n++) {
    const claimed = runtime.claim({ wait: 50 }).then((ids) => ({ ids, at: performance.now() }));
    // At any time between two looks for jobs.
    await sleep(100 + ((n * 37) % 100));
    const id = await queue(tenant, record);
    const queuedAt = performance.now();
    const { ids, at } = await claimed;
    expect(ids).toEqual([id]);
    times.push(Math.max(0, at - queuedAt));
    await runtime.end(id);
  }
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(`ms until a claim gets a job: p50 ${sorted[49]}, p99 ${sorted[98]}\n`);
  expect(sorted[98]).toBeLessThan(300);
  await Promise.all(waits);
});

test("200,000 due jobs of a tenant do not delay a neighbour's", async () => {
  const service = running();
  const [busy, other] = [await service.tenant(), await service.tenant()];
  const runtime = await runtimeOf(service, [other]);
  const alone = await whileServing(runtime, () => timesOfJobs(other));
  // In chunks: a single statement could time out.
  for (let chunk = 0; chunk < 20; chunk++) {
    await service.rows(
      `insert into task (kind, project_id, key, payload, lane)
       select 'plugin_job', $1, -n, gen_random_uuid()::text, 'plugin_configs ${PLUGIN} replay' from generate_series(1, 10000) n`,
      [busy.projectId],
    );
  }
  const times = await whileServing(runtime, () => timesOfJobs(other));
  expectUndelayed('beside 200,000 that are due', { alone, times });
});
