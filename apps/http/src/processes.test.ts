import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '@plugin-config/domain';
import { until, type RunningProcess } from '@plugin-config/server/testing';
import { expect, vi } from 'vitest';
import { follow } from './testing/follow.ts';
import { runService } from './testing/running-service.ts';
import { test as base, type Service } from './testing/service.fixture.ts';

vi.setConfig({ testTimeout: 240_000 });

/** Several processes start one after the other. */
const PATIENCE_MS = 60_000;
const CLIENTS = 12;
/** The pause of a caller after each answer. It leaves time to the processes that start. */
const PAUSE_MS = 20;
const WATCH_MS = 100;
const STREAMS_OF_KEY = 100;
/** The label of the requests for the list of records. */
const LISTED = 'route="/api/projects/:project_id/plugin_configs"';

interface Group extends AsyncDisposable {
  readonly process: RunningProcess;
  readonly url: string;
  /** Reads a metric: the sum of its series, of those with this label if it is given. */
  metric(name: string, label?: string): Promise<number>;
  isReady(): Promise<boolean>;
  /** The processes that have answered each request, by its id. */
  servedBy(): ReadonlyMap<string, number>;
  /** The processes that have ever served. */
  pids(): ReadonlySet<number>;
  /** The processes that serve. */
  live(): readonly number[];
}

interface Fixtures {
  readonly shared: Group;
  /** Two processes that serve, for all tests that leave two. */
  readonly group: Group;
}

const test = base.extend<Fixtures>({
  shared: [
    async ({ service }, use) => {
      await using group = await runGroup(service);
      await use(group);
    },
    { scope: 'file' },
  ],
  group: async ({ shared }, use) => {
    await until(async () => shared.live().length === 2 && (await shared.isReady()), PATIENCE_MS);
    await use(shared);
  },
});

async function runGroup({ databaseUrl }: Service, env: NodeJS.ProcessEnv = {}): Promise<Group> {
  const process = runService({ DATABASE_URL: databaseUrl, HTTP_PROCESSES: '2', LOG_LEVEL: 'debug', ...env });
  const stop = async (): Promise<void> => {
    process.child.kill('SIGTERM');
    await process.exited;
  };
  const url = await process.url();
  const isReady = async () =>
    fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  const servedBy = () =>
    new Map(
      [...process.stdout().matchAll(/"pid":(\d+),.*"request_id":"([^"]+)"/g)].map(([, pid, id]) => [
        String(id),
        Number(pid),
      ]),
    );
  const pids = () =>
    new Set([...process.stdout().matchAll(/"pid":(\d+),"url"/g)].map(([, pid]) => Number(pid)));
  await until(isReady, PATIENCE_MS);
  if (env['HTTP_PROCESSES'] !== '1') await until(() => pids().size === 2, PATIENCE_MS);
  return {
    process,
    url,
    isReady,
    servedBy,
    metric: async (name, label = '') => {
      const answer = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
      if (!answer.ok) throw new Error(`/metrics answered ${answer.status}: ${await answer.text()}`);
      const text = await answer.text();
      const values = text
        .split('\n')
        .filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)))
        .filter((line) => line.includes(label));
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    pids,
    live: () => [...pids()].filter(isAlive),
    [Symbol.asyncDispose]: stop,
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Exchange {
  /** The id that the request was sent with. */
  readonly id: string;
  readonly status: number | null;
  readonly error: string | null;
}

/** A caller that sends one request after the other on a connection that it keeps, until it is stopped. */
function keepCalling(
  url: string,
  token: string,
  name: string,
  stop: AbortSignal,
): Promise<readonly Exchange[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const exchange = (id: string): Promise<Exchange> => {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': id };
    const sent = request(url, { agent, headers }, (answer: IncomingMessage) => {
      answer.resume().on('end', () => resolve({ id, status: answer.statusCode ?? null, error: null }));
      answer.on('error', ({ message }) => resolve({ id, status: null, error: message }));
    });
    sent.on('error', ({ message }) => resolve({ id, status: null, error: message })).end();
    return promise;
  };
  return (async () => {
    const exchanges: Exchange[] = [];
    for (; !stop.aborted; await sleep(PAUSE_MS))
      exchanges.push(await exchange(`${name}-${exchanges.length}`));
    agent.destroy();
    return exchanges;
  })();
}

/** Reads a metric again and again until it is stopped, unless the process that answers is killed. */
async function watchMetric({ metric }: Group, name: string, stop: AbortSignal): Promise<readonly number[]> {
  const values: number[] = [];
  for (; !stop.aborted; await sleep(WATCH_MS)) {
    const value = await metric(name).catch(unlessCut);
    if (value !== null) values.push(value);
  }
  return values;
}

function unlessCut(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

const rising = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

/** Calls the group until so many processes have answered. Expects that it counts each request once. */
async function expectOneService(group: Group, project: Project, token: string, size: number): Promise<void> {
  const url = `${group.url}/api/projects/${project.id}/plugin_configs`;
  const timed = 'http_request_duration_seconds_count';
  const counted = () => group.metric('http_requests_total', LISTED);
  const [countedBefore, timedBefore] = [await counted(), await group.metric(timed)];
  let sent = 0;
  const served = () =>
    new Set([...group.servedBy()].filter(([id]) => id.startsWith('one-')).map(([, pid]) => pid)).size;
  do {
    const stop = new AbortController();
    const calling = Array.from({ length: CLIENTS }, (_, n) =>
      keepCalling(url, token, `one-${sent}-${n}`, stop.signal),
    );
    await sleep(300);
    stop.abort();
    const exchanges = (await Promise.all(calling)).flat();
    expect(new Set(exchanges.map(({ status }) => status))).toEqual(new Set([200]));
    sent += exchanges.length;
    await sleep(300);
  } while (served() < (size === 1 ? 0 : size));
  await expect.poll(counted).toBe(countedBefore + sent);
  expect((await group.metric(timed)) - timedBefore).toBeGreaterThanOrEqual(sent);
}

test('two processes answer as one service', async ({ group, service, project }) => {
  await expectOneService(group, project, (await service.issueKey()).token, 2);
  expect(await group.metric('group_processes')).toBe(2);
});

test('one process is a service without a leader', async ({ service, project }) => {
  await using group = await runGroup(service, { HTTP_PROCESSES: '1' });
  await expectOneService(group, project, (await service.issueKey()).token, 1);
  expect([group.servedBy().size, await group.metric('group_processes')]).toEqual([0, 0]);
});

test('of two processes one is killed: only its requests fail, no count falls, and it comes back', async ({
  service,
  project,
}) => {
  await using group = await runGroup(service);
  const { token } = await service.issueKey();
  const url = `${group.url}/api/projects/${project.id}/plugin_configs`;
  const stop = new AbortController();
  const counts = watchMetric(group, 'http_requests_total', stop.signal);
  const calling = Array.from({ length: CLIENTS }, (_, n) => keepCalling(url, token, `k${n}`, stop.signal));
  await until(() => new Set(group.servedBy().values()).size === 2);
  const [victim = 0] = group.pids();
  await sleep(500);
  process.kill(victim, 'SIGKILL');
  await until(() => group.pids().size === 3, PATIENCE_MS);
  await until(group.isReady, PATIENCE_MS);
  await sleep(500);
  stop.abort();
  const clients = await Promise.all(calling);
  const seen = await counts;
  expect(seen).toEqual(rising(seen));
  await sleep(300);
  const served = group.servedBy();
  for (const exchanges of clients) {
    const failed = exchanges.findIndex(({ status }) => status !== 200);
    if (failed === -1) continue;
    const last = exchanges.slice(0, failed).findLast(({ id }) => served.has(id));
    expect(served.get(last?.id ?? '')).toBe(victim);
    expect(exchanges.filter(({ status }) => status !== 200)).toHaveLength(1);
  }
  expect(group.process.stdout()).toContain(
    `"ended":${victim},"pause_ms":200,"msg":"a process was ended by SIGKILL`,
  );
  expect(await group.metric('group_restarts_total')).toBe(1);
}, 240_000);

test('SIGHUP replaces all processes without a refused or cut request, and streams go on', async ({
  group,
  service,
  project,
}) => {
  const restarts = await group.metric('group_restarts_total');
  const replacements = () => group.process.stdout().split('the processes have been replaced').length;
  const before = replacements();
  const { token } = await service.issueKey();
  const address = `${group.url}/api/projects/${project.id}`;
  const stop = new AbortController();
  const counts = watchMetric(group, 'http_requests_total', stop.signal);
  const calling = Array.from({ length: CLIENTS }, (_, n) =>
    keepCalling(`${address}/plugin_configs`, token, `r${n}`, stop.signal),
  );
  const anew = (async () => {
    const answers: boolean[] = [];
    for (; !stop.signal.aborted; await sleep(PAUSE_MS)) answers.push(await group.isReady());
    return answers;
  })();
  const stream = await follow(`${address}/plugin_configs/stream`, { token });
  const first = new Set(group.live());
  group.process.child.kill('SIGHUP');
  await until(() => replacements() > before, 2 * PATIENCE_MS);
  expect(await lastEvent(stream)).toMatchObject({
    event: 'end',
    data: { reason: 'shutdown' },
    retry: expect.any(Number),
  });
  await sleep(300);
  stop.abort();
  const exchanges = (await Promise.all(calling)).flat();
  expect(exchanges.filter(({ status }) => status !== 200)).toEqual([]);
  expect(exchanges.length).toBeGreaterThan(CLIENTS);
  expect(new Set(await anew)).toEqual(new Set([true]));
  const seen = await counts;
  expect(seen).toEqual(rising(seen));
  expect([first.size, new Set(group.live()).difference(first).size]).toEqual([2, 2]);
  for (const pid of first) expect(isAlive(pid)).toBe(false);
  expect(await group.metric('group_restarts_total')).toBe(restarts);
}, 240_000);

async function lastEvent(stream: Awaited<ReturnType<typeof follow>>): Promise<unknown> {
  let last: unknown = null;
  for (let event = await stream.next(); event !== null; event = await stream.next()) last = event;
  return last;
}

test('SIGTERM stops all processes under load within 10 seconds', async ({ service, project }) => {
  await using group = await runGroup(service);
  const { token } = await service.issueKey();
  const stop = new AbortController();
  const url = `${group.url}/api/projects/${project.id}/plugin_configs`;
  const calling = Array.from({ length: CLIENTS }, (_, n) => keepCalling(url, token, `t${n}`, stop.signal));
  await sleep(300);
  const startedAt = performance.now();
  group.process.child.kill('SIGTERM');
  await until(async () => !(await group.isReady()));
  expect(await group.process.exited).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  stop.abort();
  await Promise.all(calling);
  expect([group.pids().size, group.live()]).toEqual([2, []]);
});

test('a key has its limit of requests once, however many processes there are', async ({
  service,
  project,
}) => {
  const perMinute = 10;
  await using group = await runGroup(service, { RATE_LIMIT_PER_MINUTE: String(perMinute) });
  const { token } = await service.issueKey();
  const startedAt = performance.now();
  const url = `${group.url}/api/projects/${project.id}/plugin_configs`;
  const statuses = await Promise.all(
    Array.from(
      { length: 60 },
      async () =>
        (await fetch(url, { headers: { authorization: `Bearer ${token}`, connection: 'close' } })).status,
    ),
  );
  const refilled = Math.ceil((performance.now() - startedAt) / (60_000 / perMinute));
  const admitted = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 429).length).toBe(60 - admitted);
  expect(admitted).toBeGreaterThanOrEqual(perMinute);
  expect(admitted).toBeLessThanOrEqual(perMinute + refilled);
});

test('a key has 100 streams in all processes together', async ({ group, service, project }) => {
  const { token } = await service.issueKey();
  const url = `${group.url}/api/projects/${project.id}/plugin_configs/stream`;
  const opened = await Promise.all(Array.from({ length: STREAMS_OF_KEY }, () => follow(url, { token })));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await follow(url, { token })).status).toBe(429);
  const [victim = 0] = group.live();
  process.kill(victim, 'SIGKILL');
  for (const each of opened) await each.close().catch(() => undefined);
  await until(async () => {
    await using again = await follow(url, { token }).catch(() => ({
      status: 0,
      [Symbol.asyncDispose]: async () => undefined,
    }));
    return again.status === 200;
  });
});
