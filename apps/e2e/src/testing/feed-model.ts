import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandomness } from '@plugin-config/testing';
import type { RunningService } from './running-service.ts';

const FEED = '/api/runtime/plugin_configs';
const TENANTS = 5;
/** A plugin that some records have, and whose defaults change. */
const PLUGIN = 4747;
/** Longer than anything takes on a busy machine. */
const STALLED_MS = 180_000;

export type Chance = (below: number) => number;

export function chances(seed: number): Chance {
  const randomness = seededRandomness(seed);
  return (below) => {
    const [a = 0, b = 0] = randomness.bytes(2);
    return (256 * a + b) % below;
  };
}

/** Calls the service at one of its addresses. Retries until it responds, since it may be killed at any moment. */
export function callerOf(origins: () => readonly string[], token: string, chance: Chance) {
  return async <T>(
    method: string,
    path: string,
    body?: unknown,
    onFailure: (failure: string) => void = () => undefined,
  ) => {
    for (;;) {
      const all = origins();
      const origin = all[chance(all.length)] ?? '';
      try {
        const response = await fetch(origin + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(STALLED_MS / 2),
        });
        const text = await response.text();
        if (response.status < 500) return { status: response.status, body: JSON.parse(text || 'null') as T };
        onFailure(`${response.status} ${text}`);
      } catch (error) {
        // The process is gone.
        onFailure(String(error));
      }
      await sleep(50);
    }
  };
}

type Caller = ReturnType<typeof callerOf>;

interface FeedRecord {
  readonly id: number;
  /** Counts the changes to the configuration. */
  readonly config_version: number;
  readonly config: Readonly<Record<string, string>>;
}

interface FeedPage {
  readonly cursor: string;
  readonly more: boolean;
  readonly reset: boolean;
  readonly gone: readonly { readonly project_id: number }[];
  readonly projects: readonly {
    readonly project_id: number;
    readonly version: string | null;
    readonly results?: readonly FeedRecord[];
  }[];
}

/** A project as a follower sees it. */
interface Seen {
  readonly version: string | null;
  readonly records: number;
}

/**
 * Follows all projects, drops some responses as if it had crashed, and starts again from the last cursor that it kept. Only the
 * reset after a failover, which may have lost commits, may lead back.
 */
export function follower(call: Caller, chance: Chance) {
  const projects = new Map<number, Seen>();
  /** The newest configuration that the follower ever got of each record: it must never get an older one, or another of the same version. */
  const newest = new Map<number, FeedRecord>();
  const state = { cursor: null as string | null, unconfirmed: new Set<number>() };
  const counts = { pages: 0, resets: 0 };
  const stopping = new AbortController();
  const older: string[] = [];
  let lastPageAt = performance.now();
  let failure = '';

  const apply = ({ reset, gone, projects: changed, more, cursor: next }: FeedPage): void => {
    counts.pages++;
    if (reset) counts.resets++;
    if (reset && timelineOf(next) !== timelineOf(state.cursor ?? next)) newest.clear();
    if (state.cursor === null || reset) state.unconfirmed = new Set(projects.keys());
    for (const { project_id } of gone) projects.delete(project_id);
    for (const { project_id, version, results = [] } of changed) {
      for (const record of results) {
        const { id, config_version: at, config } = record;
        const before = newest.get(id) ?? record;
        const isOther = at === before.config_version && config['n'] !== before.config['n'];
        if (at < before.config_version || isOther)
          older.push(
            `record ${id}: ${at} (${config['n']}) after ${before.config_version} (${before.config['n']})`,
          );
        else newest.set(id, record);
      }
      projects.set(project_id, { version, records: results.length });
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
      const { status, body } = await call<FeedPage>('GET', FEED + query, undefined, (told) => {
        failure = told;
      });
      if (status === 200) {
        lastPageAt = performance.now();
        if (chance(10) > 0) apply(body);
      } else {
        failure = `${status} ${JSON.stringify(body)}`;
        await sleep(100);
      }
    }
  })();
  return {
    projects,
    older,
    counts,
    /** The last failure, if the follower has had no page for a long time. */
    stalled: () => (performance.now() - lastPageAt > STALLED_MS ? `${state.cursor}: ${failure}` : null),
    stop: async () => {
      stopping.abort();
      await run;
    },
  };
}

const timelineOf = (cursor: string): string | undefined => cursor.split('.')[0];

/** Changes projects at random until stopped. */
export function writer(service: RunningService, call: Caller, chance: Chance, projects: number[]) {
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
    const client = await service.database.pool.connect().catch(() => null);
    if (client === null) return;
    try {
      await client.query('begin');
      await client.query(
        `update config_family set family_version = family_version + 1, list_version = list_version + 1,
           changed_xid = pg_current_xact_id()::text::bigint where project_id = $1`,
        [projectId],
      );
      await sleep(300 + chance(500));
      await client.query('commit');
    } catch {
      // The server is gone.
    } finally {
      client.release(true);
    }
  };
  /** Applies a document that creates, changes, moves or deletes records of its own. */
  const apply = async (projectId: number): Promise<void> => {
    const keys = ['a', 'b', 'c'].filter(() => chance(3) > 0);
    if (chance(2) === 0) keys.reverse();
    const plugin_configs = keys.map((key) => ({
      key,
      plugin: 7,
      enabled: true,
      config: { n: `${n}${key}` },
    }));
    const document = { format: 1, manager: 'model', plugin_configs };
    const path = `/api/projects/${projectId}/configuration`;
    const { status, body } = await call<{ base: string }>('POST', `${path}/plan`, { document });
    if (status === 200) await call('POST', `${path}/apply`, { document, base: body.base });
  };
  const step = async (): Promise<void> => {
    const projectId = pick(projects);
    if (projectId === undefined || projects.length < TENANTS) return addProject();
    const own = records.get(projectId) ?? [];
    records.set(projectId, own);
    const path = `/api/projects/${projectId}/plugin_configs`;
    const id = pick(own);
    n++;
    const kind = chance(24);
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
    } else if (kind === 4) await apply(projectId);
    else if (kind === 5) {
      const external_id = `t-${crypto.randomUUID()}`;
      await call('PATCH', `/api/projects/${projectId}`, { external_id });
    } else if (id === undefined || kind === 6) {
      const { body } = await call<{ id?: number }>('POST', path, {
        plugin: chance(2) === 0 ? PLUGIN : 7,
        enabled: true,
        config: { n: String(n) },
      });
      if (body.id !== undefined) own.push(body.id);
    } else if (kind === 7) await call('PATCH', `${path}/${id}`, { enabled: chance(2) === 0 });
    else if (kind === 8) await call('DELETE', `${path}/${id}`);
    else if (kind === 9) await call('PATCH', `${path}/${id}`, { deleted: false, enabled: true });
    else if (kind === 10) await call('PATCH', `${path}/${id}`, { name: `Record ${n}` });
    else if (kind === 11) await call('PATCH', `${path}/rearrange`, { orders: { [id]: 1 + chance(9) } });
    else if (kind === 12) await call('POST', `${path}/${id}/revisions/${1 + chance(4)}/restore`);
    else await call('PUT', `${path}/${id}/config`, { n: String(n) });
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
