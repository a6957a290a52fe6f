import { setTimeout as sleep } from 'node:timers/promises';
import { movingAddress, replicatedServersOfFile } from '@plugin-config/persistence/testing';
import { expect, onTestFinished, test } from 'vitest';
import { loadOf, MODEL_MINUTES, propertyTimeout, SEED } from '../../../tools/property-runs.ts';
import { callerOf, chances, follower, writer, type Chance } from './testing/feed-model.ts';
import { killable } from './testing/kills.ts';
import { runService, serviceOfFile, type RunningService } from './testing/running-service.ts';

const FOLLOWERS = 4;

const running = serviceOfFile();
const startServers = replicatedServersOfFile();

interface Run {
  readonly steps: number;
  /** If above 0, how long it runs instead. */
  readonly minutes?: number;
  /** Kills something, and starts it again. */
  readonly disturb: (chance: Chance) => Promise<void>;
}

/** After some changes, every follower has what the API returns, and none ever went back to an older content. */
async function holds(
  service: RunningService,
  origins: () => readonly string[],
  { steps, minutes = 0, disturb }: Run,
) {
  const chance = chances(SEED);
  const call = callerOf(origins, await service.issueKey(['*']), chance);
  const runtimeCall = callerOf(origins, await service.issueKey(['plugin_runtime']), chance);
  /** From the service, since a failover may have undone a creation or a deletion. */
  const ids = async (): Promise<readonly number[]> => {
    const found: number[] = [];
    for (;;) {
      const path = `/api/projects?limit=1000&offset=${found.length}`;
      const { body } = await call<{ results: { id: number }[]; next: string | null }>('GET', path);
      found.push(...body.results.map(({ id }) => id));
      if (body.next === null) return found;
    }
  };
  const earlier = new Set(await ids());
  const projects: number[] = [];
  const change = writer(service, call, chance, projects);
  const followers = Array.from({ length: FOLLOWERS }, () => follower(runtimeCall, chance));
  const started = performance.now();
  const isOver = (): boolean =>
    minutes > 0 ? performance.now() - started >= minutes * 60_000 : change.changes() >= steps;
  const expectHealthy = (): void => {
    expect(followers.flatMap(({ older }) => older)).toEqual([]);
    expect(followers.flatMap(({ stalled }) => stalled() ?? [])).toEqual([]);
  };
  while (!isOver()) {
    await sleep(100);
    await disturb(chance);
    expectHealthy();
  }
  await change.stop();
  const expected = async () => {
    const found: [number, string][] = [];
    for (const id of (await ids()).filter((one) => !earlier.has(one))) {
      const { status, body } = await call<{ version: string; results: unknown[] }>(
        'GET',
        `/api/projects/${id}/plugin_configs/runtime`,
      );
      if (status === 200 && body.results.length > 0) found.push([id, body.version]);
    }
    return found.toSorted(([a], [b]) => a - b);
  };
  const state = await expected();
  for (const { projects: seen } of followers) {
    const has = () =>
      [...seen]
        .filter(([id, { records }]) => records > 0 && !earlier.has(id))
        .map(([id, { version }]) => [id, version] as const)
        .toSorted(([a], [b]) => a - b);
    await expect.poll(has, { timeout: 60_000, interval: 200 }).toEqual(state);
  }
  await Promise.all(followers.map(async (one) => one.stop()));
  expectHealthy();
  const sum = (count: 'pages' | 'resets') => followers.reduce((all, { counts }) => all + counts[count], 0);
  return { changes: change.changes(), pages: sum('pages'), resets: sum('resets') };
}

test('every follower gets every change, from any replica', { timeout: 120_000 }, async () => {
  const service = running();
  const other = service.run('http');
  const origins = [await service.http.url(), await other.url()];
  await holds(service, () => origins, { steps: 20, disturb: async () => undefined });
});

test(
  'every follower gets every change while processes, connections and the database are killed, and commits are lost',
  { tags: ['long'], timeout: propertyTimeout(400_000) },
  async () => {
    let servers = await startServers({ isSynchronous: false });
    onTestFinished(() => servers[Symbol.asyncDispose]());
    const address = await movingAddress(servers.primary.url);
    const service = await runService({}, { databaseUrl: address.url });
    onTestFinished(() => service[Symbol.asyncDispose]());
    const { urls, kill } = await killable(service, () => servers.primary);
    const kills = { http: 0, replica: 0, connections: 0, database: 0, failover: 0 };
    const failover = async (chance: Chance): Promise<void> => {
      await servers.cutOff();
      await sleep(chance(1_500));
      await servers.primary.kill();
      address.moveTo(servers.standby.url);
      await servers.promote();
      servers = await servers.succeed();
    };
    const kinds = [
      ...(Object.keys(kills) as (keyof typeof kills)[]),
      'http',
      'replica',
      'connections',
    ] as const;
    const held = await holds(service, () => [...urls], {
      steps: loadOf(1_000),
      minutes: MODEL_MINUTES,
      disturb: async (chance) => {
        await sleep(chance(400));
        const kind = kinds[chance(kinds.length)] ?? 'http';
        kills[kind]++;
        await (kind === 'failover' ? failover(chance) : kill[kind]());
        if (MODEL_MINUTES > 0) process.stdout.write(`${JSON.stringify(kills)}\n`);
      },
    });
    process.stdout.write(`${JSON.stringify({ seed: SEED, ...held, kills })}\n`);
    expect(Object.values(kills).reduce((sum, one) => sum + one)).toBeGreaterThan(5);
  },
);
