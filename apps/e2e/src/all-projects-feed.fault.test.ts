import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandomness } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { loadOf, propertyTimeout, SEED } from '../../../tools/property-runs.ts';
import { serviceOfFile, type RunningService } from './testing/running-service.ts';

const FEED = '/api/runtime/plugin_configs';
const TENANTS = 5;
const FOLLOWERS = 4;
/** A plugin that some records have, and whose defaults change. */
const PLUGIN = 4747;

const running = serviceOfFile();

type Chance = (below: number) => number;

function chances(seed: number): Chance {
  const randomness = seededRandomness(seed);
  return (below) => {
    const [a = 0, b = 0] = randomness.bytes(2);
    return (256 * a + b) % below;
  };
}

/** Calls the service at one of its addresses. Retries until it responds, since it may be killed at any moment. */
function callerOf(origins: () => readonly string[], token: string, chance: Chance) {
  return async <T>(method: string, path: string, body?: unknown) => {
    for (;;) {
      const all = origins();
      const origin = all[chance(all.length)] ?? '';
      try {
        const response = await fetch(origin + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (response.status < 500) return { status: response.status, body: JSON.parse(text || 'null') as T };
      } catch {
        // The process is gone.
      }
      await sleep(50);
    }
  };
}

type Caller = ReturnType<typeof callerOf>;

interface FeedPage {
  readonly cursor: string;
  readonly more: boolean;
  readonly reset: boolean;
  readonly gone: readonly { readonly project_id: number }[];
  readonly projects: readonly {
    readonly project_id: number;
    readonly version: string | null;
    readonly results?: readonly { readonly id: number; readonly config: Readonly<Record<string, string>> }[];
  }[];
}

/** A project as a follower sees it: its version, and the number of the last change, which each record counts up. */
interface Seen {
  readonly version: string | null;
  readonly counts: ReadonlyMap<number, number>;
}

/** Follows all projects, drops some responses as if it had crashed, and starts again from the last cursor that it kept. */
function follower(call: Caller, chance: Chance) {
  const projects = new Map<number, Seen>();
  /** The highest count that the follower ever got of each record: it must never get a lower one. */
  const highest = new Map<number, number>();
  const state: { cursor: string | null; unconfirmed: Set<number> } = { cursor: null, unconfirmed: new Set() };
  const stopping = new AbortController();
  const older: string[] = [];

  const apply = ({ reset, gone, projects: changed, more, cursor: next }: FeedPage): void => {
    if (state.cursor === null || reset) state.unconfirmed = new Set(projects.keys());
    for (const { project_id } of gone) projects.delete(project_id);
    for (const { project_id, version, results = [] } of changed) {
      const counts = new Map(results.map(({ id, config }) => [id, Number(config['n'] ?? 0)]));
      for (const [id, count] of counts) {
        const before = highest.get(id) ?? 0;
        if (count < before) older.push(`record ${id}: ${count} after ${before}`);
        highest.set(id, Math.max(count, before));
      }
      projects.set(project_id, { version, counts });
      state.unconfirmed.delete(project_id);
    }
    // After a reset, what has not come again is gone.
    if (!more) {
      for (const id of state.unconfirmed) projects.delete(id);
      state.unconfirmed = new Set();
    }
    state.cursor = next;
  };

  const run = (async () => {
    while (!stopping.signal.aborted) {
      const { cursor } = state;
      const query = cursor === null ? '' : `?wait=1&after=${encodeURIComponent(cursor)}`;
      const { status, body } = await call<FeedPage>('GET', FEED + query);
      if (status === 200 && chance(10) > 0) apply(body);
      else if (status !== 200) await sleep(100);
    }
  })();
  return {
    projects,
    older,
    stop: async () => {
      stopping.abort();
      await run;
    },
  };
}

/** Changes projects at random until stopped. */
function writer(service: RunningService, call: Caller, chance: Chance, projects: number[]) {
  let n = 0;
  const stopping = new AbortController();
  const records = new Map<number, number[]>();
  const pick = <T>(list: readonly T[]): T | undefined => list[chance(list.length)];

  const addProject = async (): Promise<void> => {
    const { body } = await call<{ id: number }>('PUT', `/api/projects/ext:t-${crypto.randomUUID()}`, {});
    projects.push(body.id);
  };
  /** Leaves the families of a project locked, and changed, for a while before it commits. */
  const slowly = async (projectId: number): Promise<void> => {
    const client = await service.database.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `update config_family set family_version = family_version + 1, list_version = list_version + 1,
           changed_xid = pg_current_xact_id()::text::bigint where project_id = $1`,
        [projectId],
      );
      await sleep(300 + chance(500));
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const step = async (): Promise<void> => {
    const projectId = pick(projects);
    if (projectId === undefined || projects.length < TENANTS) return addProject();
    const own = records.get(projectId) ?? [];
    records.set(projectId, own);
    const path = `/api/projects/${projectId}/plugin_configs`;
    const id = pick(own);
    n++;
    const kind = chance(20);
    if (kind === 0 && projects.length > TENANTS) {
      const { status, body } = await call<{ name: string }>('GET', `/api/projects/${projectId}`);
      const deleted =
        status === 200 && (await call('DELETE', `/api/projects/${projectId}`, { name: body.name }));
      if (status === 404 || (deleted !== false && [204, 404].includes(deleted.status)))
        projects.splice(projects.indexOf(projectId), 1);
    } else if (kind === 1) await addProject();
    else if (kind === 2) await slowly(projectId);
    else if (kind === 3) {
      const config_schema = [{ key: 'region', type: 'string', default: `region ${n}` }];
      await call('PUT', `/api/plugins/${PLUGIN}`, { name: 'GeoIP', config_schema });
    } else if (kind === 4) {
      const external_id = `t-${crypto.randomUUID()}`;
      await call('PATCH', `/api/projects/${projectId}`, { external_id });
    } else if (id === undefined || kind === 5) {
      const { body } = await call<{ id?: number }>('POST', path, {
        plugin: chance(2) === 0 ? PLUGIN : 7,
        enabled: true,
      });
      if (body.id !== undefined) own.push(body.id);
    } else if (kind === 6) await call('PATCH', `${path}/${id}`, { enabled: chance(2) === 0 });
    else if (kind === 7) {
      await call('DELETE', `${path}/${id}`);
      own.splice(own.indexOf(id), 1);
    } else await call('PUT', `${path}/${id}/config`, { n: String(n) });
  };
  const run = (async () => {
    while (!stopping.signal.aborted) await step();
  })();
  return {
    changes: () => n,
    stop: async () => {
      stopping.abort();
      await run;
    },
  };
}

interface Run {
  readonly steps: number;
  /** Kills something, and starts it again. */
  readonly disturb: (chance: Chance) => Promise<void>;
}

/** After some changes, every follower has what the API returns, and none ever went back to an older content. */
async function holds(
  service: RunningService,
  origins: () => readonly string[],
  { steps, disturb }: Run,
): Promise<void> {
  const chance = chances(SEED);
  const call = callerOf(origins, await service.issueKey(['*']), chance);
  const runtimeCall = callerOf(origins, await service.issueKey(['plugin_runtime']), chance);
  const others = await call<{ results: { id: number }[] }>('GET', '/api/projects?limit=1000');
  const earlier = new Set(others.body.results.map(({ id }) => id));
  const projects: number[] = [];
  const change = writer(service, call, chance, projects);
  const followers = Array.from({ length: FOLLOWERS }, () => follower(runtimeCall, chance));
  while (change.changes() < steps) {
    await sleep(100);
    await disturb(chance);
  }
  await change.stop();
  const expected = async () => {
    const found: [number, string][] = [];
    for (const id of projects) {
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
        .filter(([id, { counts }]) => counts.size > 0 && !earlier.has(id))
        .map(([id, { version }]) => [id, version] as const)
        .toSorted(([a], [b]) => a - b);
    await expect.poll(has, { timeout: 30_000 }).toEqual(state);
  }
  await Promise.all(followers.map(async (one) => one.stop()));
  expect(followers.flatMap(({ older }) => older)).toEqual([]);
}

test('every follower gets every change, from any replica', { timeout: 120_000 }, async () => {
  const service = running();
  const other = service.run('http');
  const origins = [await service.http.url(), await other.url()];
  await holds(service, () => origins, { steps: 20, disturb: async () => undefined });
});

test(
  'every follower gets every change while processes and connections are killed',
  { tags: ['long'], timeout: propertyTimeout(300_000) },
  async () => {
    const service = running();
    let other = service.run('http');
    const urls = new Set([await service.http.url(), await other.url()]);
    let kills = 0;
    await holds(service, () => [...urls], {
      steps: loadOf(400),
      disturb: async (chance) => {
        await sleep(chance(400));
        const kind = chance(3);
        kills++;
        if (kind === 0) {
          await service.end('http');
          await service.restart('http');
        } else if (kind === 1) {
          urls.delete(await other.url());
          other.child.kill('SIGKILL');
          await other.exited;
          other = service.run('http');
          urls.add(await other.url());
        } else {
          await service.rows(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name like '%http%' and pid <> pg_backend_pid()`,
          );
        }
      },
    });
    expect(kills).toBeGreaterThan(5);
  },
);
