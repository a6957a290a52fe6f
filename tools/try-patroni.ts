/**
 * Tries a failover with Patroni on this machine. Runs etcd, two PostgreSQL 15 servers under Patroni, HAProxy in front of them,
 * the HTTP app and the worker. Kills the leader under load, and prints what the callers saw. Needs root, and Debian's
 * etcd-server, patroni, postgresql-15 and haproxy: `node_modules/.bin/node tools/try-patroni.ts`
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ETCD = 23790;
const PROXY = 23800;
const NODES = [
  { name: 'one', port: 23801, api: 23811 },
  { name: 'two', port: 23802, api: 23812 },
] as const;
const [HTTP, WORKER] = [23821, 23822];
const SEARCH_PATH = { PATH: `${process.env['PATH']}:/usr/sbin:/usr/bin` };
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'try-patroni-'));
const owner = {
  uid: Number(execFileSync('id', ['-u', 'postgres'])),
  gid: Number(execFileSync('id', ['-g', 'postgres'])),
};
const children = new Map<string, ChildProcess>();

type Node = (typeof NODES)[number];

function start(name: string, command: string, args: readonly string[], options: object = {}): void {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: SEARCH_PATH,
    cwd: folder,
    ...options,
  });
  children.set(name, child);
}

const startNode = ({ name }: Node): void => start(name, 'patroni', [join(folder, `${name}.yml`)], owner);

/** Uses the shortest times that Patroni allows. It replaces a dead leader after 20 seconds. */
const patroniSettings = ({ name, port, api }: Node): string => `
scope: try
name: ${name}
restapi: { listen: '127.0.0.1:${api}', connect_address: '127.0.0.1:${api}' }
etcd3: { host: '127.0.0.1:${ETCD}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql: { use_pg_rewind: true }
  initdb: [encoding: UTF8, { locale: C.UTF-8 }]
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256']
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}/${name}
  bin_dir: /usr/lib/postgresql/15/bin
  pgpass: ${folder}/${name}.pgpass
  parameters: { unix_socket_directories: '${folder}', shared_buffers: 64MB }
  authentication:
    superuser: { username: postgres, password: try }
    replication: { username: replicator, password: try }
`;

const PROXY_SETTINGS = `
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${PROXY}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}`).join('\n')}
`;

async function isLeader({ api }: Node): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${api}/primary`).catch(() => null);
  return response?.status === 200;
}

async function until(what: string, holds: () => Promise<boolean>, withinMs = 120_000): Promise<number> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${withinMs} ms.`);
    await sleep(50);
  }
  return performance.now();
}

/** Whether the cluster has a synchronous standby, which a failover needs. */
async function hasStandby(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${NODES[0].api}/cluster`).catch(() => null);
  return (await response?.text())?.includes('"sync_standby"') === true;
}

function runApps(settings: NodeJS.ProcessEnv): void {
  const env = {
    ...settings,
    PORT: String(HTTP),
    WORKER_PORT: String(WORKER),
    LOG_LEVEL: 'error',
  };
  for (const app of ['http', 'worker']) {
    start(app, process.execPath, [join(root, `apps/${app}/src/main.ts`)], {
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
}

function operator(env: NodeJS.ProcessEnv, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [join(root, 'apps/cli/src/main.ts'), ...args], {
    env,
    encoding: 'utf8',
  });
}

/** Keeps calling, and records the time and status of each response. */
function keepCalling(call: () => Promise<Response>) {
  const responses: { readonly at: number; readonly status: number }[] = [];
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const response = await call();
      await response.text();
      responses.push({ at: performance.now(), status: response.status });
      await sleep(20);
    }
  })();
  return {
    responses,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function kill(node: Node): Promise<void> {
  const [postmaster] = readFileSync(join(folder, node.name, 'postmaster.pid'), 'utf8').split('\n');
  children.get(node.name)?.kill('SIGKILL');
  process.kill(Number(postmaster), 'SIGKILL');
}

async function killLeader(url: string): Promise<void> {
  await until('a synchronous standby', hasStandby);
  const secretsKeys = operator(SEARCH_PATH, 'secrets', 'generate').trim();
  const settings = { ...SEARCH_PATH, DATABASE_URL: url, SECRETS_KEYS: secretsKeys };
  operator(settings, 'migrate');
  const { id: project } = JSON.parse(operator(settings, 'project', 'create', '--name', 'Try', '--json')) as {
    id: number;
  };
  const { key: token } = JSON.parse(
    operator(settings, 'key', 'create', '--label', 'try', '--scope', '*', '--json'),
  ) as { key: string };
  runApps(settings);
  for (const port of [HTTP, WORKER]) {
    await until(
      'readiness',
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200,
    );
  }
  const records = `http://127.0.0.1:${HTTP}/api/projects/${project}/plugin_configs`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const created = await fetch(records, { method: 'POST', headers, body: '{"plugin":7}' });
  const { id } = (await created.json()) as { id: number };
  let [named, acknowledged, pushed] = [0, 0, 0];
  const loads = {
    read: keepCalling(() => fetch(`${records}/${id}`, { headers })),
    write: keepCalling(async () => {
      const n = ++named;
      const response = await fetch(`${records}/${id}`, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ name: String(n) }),
      });
      if (response.ok) acknowledged = n;
      return response;
    }),
    ingestion: keepCalling(async () => {
      const body = `${JSON.stringify({ plugin_config_id: id, message: 'Delivered' })}\n`;
      const response = await fetch(`http://127.0.0.1:${WORKER}/ingest`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body,
      });
      if (response.ok) pushed++;
      return response;
    }),
  };
  await sleep(3_000);
  const leader = (await isLeader(NODES[0])) ? NODES[0] : NODES[1];
  const other = leader === NODES[0] ? NODES[1] : NODES[0];
  const killedAt = performance.now();
  await kill(leader);
  const promotedAt = await until('a promotion', () => isLeader(other));
  await sleep(6_000);
  for (const load of Object.values(loads)) await load.stop();
  process.stdout.write(`promoted ${seconds(promotedAt - killedAt)} after the kill\n`);
  for (const [kind, { responses }] of Object.entries(loads)) {
    const recovery = responses.find(({ at, status }) => at > killedAt + 500 && status < 300);
    const statuses = Object.entries(Object.groupBy(responses, ({ status }) => status)).map(
      ([status, all]) => `${all?.length} × ${status}`,
    );
    const after =
      recovery === undefined
        ? 'did not recover'
        : `recovered ${seconds(recovery.at - promotedAt)} after the promotion was seen`;
    process.stdout.write(`  ${kind}: ${after}; ${statuses.join(', ')}\n`);
  }
  const { name } = (await (await fetch(`${records}/${id}`, { headers })).json()) as { name: string };
  const { count } = (await (await fetch(`${records}/${id}/logs?limit=1`, { headers })).json()) as {
    count: number;
  };
  process.stdout.write(
    `  last acknowledged write ${acknowledged}, stored ${name}; pushes acknowledged ${pushed}, stored ${count}\n`,
  );
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

try {
  chmodSync(folder, 0o711);
  chownSync(folder, owner.uid, owner.gid);
  const etcd = `http://127.0.0.1:${ETCD}`;
  start('etcd', 'etcd', [
    '--data-dir',
    join(folder, 'etcd'),
    '--listen-client-urls',
    etcd,
    '--advertise-client-urls',
    etcd,
    '--listen-peer-urls',
    `http://127.0.0.1:${ETCD + 1}`,
  ]);
  await until('etcd', async () => (await fetch(`${etcd}/health`).catch(() => null))?.ok === true);
  for (const node of NODES) {
    writeFileSync(join(folder, `${node.name}.yml`), patroniSettings(node));
    mkdirSync(join(folder, node.name), { mode: 0o700 });
    chownSync(join(folder, node.name), owner.uid, owner.gid);
    startNode(node);
  }
  writeFileSync(join(folder, 'haproxy.cfg'), PROXY_SETTINGS);
  start('haproxy', 'haproxy', ['-f', join(folder, 'haproxy.cfg')]);
  await killLeader(`postgres://postgres:try@127.0.0.1:${PROXY}/postgres`);
} finally {
  for (const { name } of NODES) children.get(name)?.kill('SIGTERM');
  await sleep(5_000);
  for (const child of children.values()) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
