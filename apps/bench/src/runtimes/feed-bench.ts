import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@plugin-config/persistence';
import { addProjects, addRecords, TEST_KEYS } from '@plugin-config/persistence/testing/seed';
import { startService, type Service } from '../http/service.ts';
import { openAgent, send, tokensFor } from './hold-requests.ts';

const FEED = '/api/runtime/plugin_configs';
const FOLLOWERS = 100;
const RECORDS = 10;
const CHANGES_PER_SECOND = 50;

export interface FeedResult {
  /** Seconds until all followers have every project. */
  readonly syncSeconds: number;
  /** Additional megabytes of the service. */
  readonly syncMemory: number;
  /** Milliseconds from the response to a change until a follower has it. */
  readonly seenMs: readonly number[];
  readonly waits: number;
  /** Kilobytes of an idle wait. */
  readonly waitKb: number;
}

interface Options {
  readonly databaseUrl: string;
  readonly projects: number;
  readonly waits: number;
  readonly seconds: number;
}

interface Page {
  readonly cursor: string;
  readonly more: boolean;
  readonly projects: readonly {
    readonly results?: readonly { readonly id: number; readonly name: string | null }[];
  }[];
}

/** Measures followers of all projects, and idle waits, on a new service. */
export async function benchFeed({ databaseUrl, projects, waits, seconds }: Options): Promise<FeedResult> {
  const records = await fill(databaseUrl, projects);
  const service = await startService(databaseUrl);
  const agent = openAgent();
  try {
    const read = async (query: string, token = service.token): Promise<Page> => {
      const response = await send({ ...service, token, agent, path: FEED + query });
      if (response.statusCode !== 200) throw new Error(`${FEED} responded with ${response.statusCode}`);
      return JSON.parse((await response.toArray()).join('')) as Page;
    };
    const before = await service.residentMb();
    const start = performance.now();
    const cursors = await Promise.all(Array.from({ length: FOLLOWERS }, () => synchronise(service, agent)));
    const syncSeconds = (performance.now() - start) / 1000;
    const syncMemory = (await service.residentMb()) - before;
    const seenMs = await change(service, { read, cursors, records, seconds });
    const waitKb = await hold(service, databaseUrl, waits, cursors[0] ?? '');
    return { syncSeconds, syncMemory, seenMs, waits, waitKb };
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/** Adds projects. Of all records, only theirs are enabled. */
async function fill(databaseUrl: string, projects: number): Promise<readonly Place[]> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const config = () => JSON.stringify({ host: 'events.example.com', token: 'hunter2' });
  const places: Place[] = [];
  for (const projectId of await addProjects(database, projects)) {
    const [id = 0] = await addRecords(
      database,
      { projectId, family: 'plugin_configs' },
      { records: RECORDS, config },
    );
    places.push({ projectId, id });
  }
  await database.pool.query('update config_record set enabled = project_id = any ($1)', [
    places.map(({ projectId }) => projectId),
  ]);
  await database.pool.query('vacuum analyze');
  await database.close();
  return places;
}

interface Place {
  readonly projectId: number;
  readonly id: number;
}

/** Reads all pages but parses only their cursors, not gigabytes. Returns the last cursor. */
async function synchronise(service: Service, agent: ReturnType<typeof openAgent>): Promise<string> {
  let query = '';
  for (;;) {
    const response = await send({ ...service, agent, path: FEED + query });
    let head = '';
    response.on('data', (chunk: Buffer) => {
      if (head.length < 10_000) head += chunk.toString('latin1', 0, 10_000);
    });
    await once(response, 'end');
    const [, cursor = '', more] = /^\{"cursor":"([^"]+)","more":(true|false)/.exec(head) ?? [];
    if (more !== 'true') return cursor;
    query = `?after=${encodeURIComponent(cursor)}`;
  }
}

interface Changing {
  readonly read: (query: string) => Promise<Page>;
  readonly cursors: readonly string[];
  readonly records: readonly Place[];
  readonly seconds: number;
}

/** Changes records, each once, while all followers wait. */
async function change(
  { port, token }: Service,
  { read, cursors, records, seconds }: Changing,
): Promise<readonly number[]> {
  const changedAt = new Map<string, number>();
  const seenMs: number[] = [];
  const stopping = new AbortController();
  const follow = async (first: string): Promise<void> => {
    let cursor = first;
    while (!stopping.signal.aborted) {
      const page = await read(`?wait=2&after=${encodeURIComponent(cursor)}`);
      for (const { name } of page.projects.flatMap(({ results = [] }) => results)) {
        const at = name === null ? undefined : changedAt.get(name);
        if (at !== undefined) seenMs.push(performance.now() - at);
      }
      ({ cursor } = page);
    }
  };
  const following = Promise.all(cursors.map(follow));
  await sleep(1000);
  for (let n = 0; n < seconds * CHANGES_PER_SECOND; n++) {
    const { projectId, id } = records[n % records.length] ?? { projectId: 0, id: 0 };
    const name = `change ${n}`;
    const url = `http://127.0.0.1:${port}/api/projects/${projectId}/plugin_configs/${id}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    void fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ name }) }).then(() =>
      changedAt.set(name, performance.now()),
    );
    await sleep(1000 / CHANGES_PER_SECOND);
  }
  await sleep(1000);
  stopping.abort();
  await following;
  return seenMs;
}

/** Returns the kilobytes of each of these waits, which no change ends. */
async function hold(service: Service, databaseUrl: string, waits: number, cursor: string): Promise<number> {
  const tokens = await tokensFor(databaseUrl, waits);
  const agent = openAgent();
  const first = new Map<string, string>();
  for (const token of tokens) {
    const response = await send({ ...service, token, agent, path: `${FEED}?content=false&after=${cursor}` });
    const { cursor: own } = JSON.parse((await response.toArray()).join('')) as Page;
    first.set(token, own);
  }
  await sleep(2000);
  const before = await service.residentMb();
  for (let n = 0; n < waits; n++) {
    const token = tokens[n % tokens.length] ?? '';
    const path = `${FEED}?wait=50&after=${encodeURIComponent(first.get(token) ?? '')}`;
    void send({ ...service, token, agent, path }).catch(() => undefined);
    if (n % 100 === 0) await sleep(10);
  }
  await sleep(3000);
  const used = (await service.residentMb()) - before;
  agent.destroy();
  return (1000 * used) / waits;
}
