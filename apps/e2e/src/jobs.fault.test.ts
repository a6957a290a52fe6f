import { setTimeout as sleep } from 'node:timers/promises';
import { replicatedServersOfFile } from '@plugin-config/persistence/testing';
import { expect, onTestFinished, test } from 'vitest';
import { loadOf, propertyTimeout, SEED } from '../../../tools/property-runs.ts';
import { chances, type Chance } from './testing/feed-model.ts';
import {
  contradictions,
  modelRuntime,
  noObservations,
  queueJobs,
  senderTo,
  storedJobs,
} from './testing/job-model.ts';
import { killable, killAndRestart } from './testing/kills.ts';
import { runService, serviceOfFile, type RunningService } from './testing/running-service.ts';

const running = serviceOfFile();
const startServers = replicatedServersOfFile();

interface Run {
  readonly tenants: number;
  readonly records: number;
  readonly rounds: number;
  readonly pauseMs: number;
  readonly losesLeases: boolean;
  /** Kills things while jobs are queued and run. */
  readonly disturb: (chance: Chance) => Promise<void>;
}

/** Each job ends once, as its acknowledged result says, and in the order of its record. */
async function holds(service: RunningService, origins: () => readonly string[], run: Run) {
  const { tenants, records, rounds, pauseMs, losesLeases, disturb } = run;
  const chance = chances(SEED);
  const created = await Promise.all(Array.from({ length: tenants }, async () => service.tenant()));
  const places = await Promise.all(
    Array.from({ length: records }, () => created)
      .flat()
      .map(async (tenant) => ({ project: tenant.projectId, record: await tenant.attach() })),
  );
  const projects = [...new Set(places.map(({ project }) => project))];
  const seen = noObservations();
  const send = senderTo(origins, await service.issueKey(['*']), chance);
  let isWild = true;
  const keys = [projects, projects, projects, projects.slice(0, 1), projects.slice(1)];
  const runtimes = await Promise.all(
    keys.map(async (projectIds, n) => {
      const token = await service.issueKey(['plugin_runtime'], projectIds);
      const conduct = { chance, isWild: () => isWild, losesLeases };
      return modelRuntime(`runtime-${n}`, senderTo(origins, token, chance), seen, conduct);
    }),
  );
  await Promise.all([queueJobs(send, places, { seen, chance, rounds, pauseMs }), disturb(chance)]);
  isWild = false;
  const unfinished = async () => (await storedJobs(service, places)).filter((job) => !job.is_ended).length;
  const unfinishedSoon = async (): Promise<number> => {
    // Nobody needs to wait for the next attempts.
    await service.rows(
      `update task set due_at = now() where kind = 'plugin_job' and due_at > now() and due_at < 'infinity'`,
    );
    return unfinished();
  };
  await expect.poll(unfinishedSoon, { timeout: 120_000, interval: 200 }).toBe(0);
  await Promise.all(runtimes.map(async (runtime) => runtime.stop()));
  expect(await contradictions(service, send, places, seen)).toEqual([]);
  const jobs = await storedJobs(service, places);
  const states = Object.fromEntries(
    [...Map.groupBy(jobs, ({ state }) => state)].map(([state, found]) => [state, found.length]),
  );
  return {
    jobs: jobs.length,
    states,
    claims: seen.holds.length,
    results: Object.fromEntries(seen.statuses),
    acknowledged: seen.results.length,
  };
}

test('jobs end once and in order, whatever their runtimes do, and while the worker is killed', async () => {
  const service = running();
  const urls = [await service.http.url()];
  const held = await holds(service, () => urls, {
    tenants: 2,
    records: 3,
    rounds: 6,
    pauseMs: 5,
    losesLeases: false,
    // An HTTP process would take claims with it, whose leases take ten seconds.
    disturb: () => killAndRestart(service, 'worker'),
  });
  expect(held.jobs).toBeGreaterThan(30);
});

test(
  'jobs end once and in order while runtimes die, and processes, connections and the database are killed',
  { tags: ['long'], timeout: propertyTimeout(900_000) },
  async () => {
    const servers = await startServers({ isSynchronous: false });
    onTestFinished(() => servers[Symbol.asyncDispose]());
    const service = await runService({}, { databaseUrl: servers.primary.url });
    onTestFinished(() => service[Symbol.asyncDispose]());
    const { urls, kill } = await killable(service, () => servers.primary);
    const kills = { http: 0, replica: 0, worker: 0, database: 0, connections: 0 };
    const kinds = ['http', 'database', 'replica', 'database', 'worker', 'database', 'connections'] as const;
    const held = await holds(service, () => [...urls], {
      tenants: 5,
      records: 8,
      rounds: loadOf(15),
      pauseMs: 200,
      losesLeases: true,
      disturb: async (chance) => {
        for (let n = 0; n < loadOf(120); n++) {
          await sleep(chance(500));
          const kind = kinds[n % kinds.length] ?? 'http';
          kills[kind]++;
          await kill[kind]();
        }
      },
    });
    process.stdout.write(`${JSON.stringify({ seed: SEED, ...held, kills })}\n`);
    expect(held.jobs).toBeGreaterThan(500);
  },
);
