/** @module-tag long */

import { expect, test } from 'vitest';
import { fillFamily } from '../testing/fill-family.ts';
import { fillLog } from '../testing/fill-log.ts';
import { flood } from '../testing/flood.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile, type RunningService } from '../testing/running-service.ts';
import { openStream } from '../testing/stream.ts';
import { tenant as tenantAt, type Tenant } from '../testing/tenant.ts';

const ISSUERS = 200;
const KEYS = 51;
const STREAMS_OF_KEY = 100;
const PROJECTS = 6;
const SEARCHES_OF_PROJECT = 8;
const LOG = { batches: 40, lines: 5_000, message: `message ${'x'.repeat(100)}` };
const PLUGINS = 40;
const READERS = 60;

const running = serviceOfFile();

test('a project-bound key that keeps issuing keys does not slow down neighbours, and stops at 1,000', async () => {
  const service = running();
  const issuer = await service.tenant();
  await flood(service, { callers: ISSUERS, allowed: [201, 429, 503] }, () => issue(issuer));
  const [keys] = await service.rows<{ count: number }>(
    `select count(*)::int as count from api_key_project where project_id = $1`,
    [issuer.projectId],
  );
  expect(keys?.count).toBeLessThanOrEqual(1_000);
});

test('others can open streams, however many keys of one account have opened some', async () => {
  const service = running();
  const issuer = await service.tenant();
  const other = await service.tenant();
  const bystander = await neighbour(other);
  const tokens = await Promise.all(Array.from({ length: KEYS }, async () => (await issue(issuer)).token));
  let opened = 0;
  for (const token of tokens) {
    const streams = await Promise.all(
      Array.from({ length: STREAMS_OF_KEY }, () =>
        openStream({ ...issuer, token }, '/plugin_configs/stream').catch(() => null),
      ),
    );
    opened += streams.filter((stream) => stream?.status === 200).length;
  }
  const own = await openStream(other, '/plugin_configs/stream');
  expect([own.status, opened]).toEqual([200, 500]);
  await bystander.expectUnaffected();
});

test('searches in many projects with one key do not slow down searches and rearranges of others', async () => {
  const service = running();
  const token = await service.issueKey(['*']);
  const projects = await Promise.all(Array.from({ length: PROJECTS }, () => service.tenant()));
  const logs = await Promise.all(
    projects.map(async (project) => [tenantAt({ ...project, token }), await project.attach()] as const),
  );
  for (const [project, id] of logs) await fillLog(project, id, LOG);
  const own = await service.tenant();
  await fillFamily(service, own, { records: 100 });
  let turn = 0;
  const beside = await neighbour(own, {
    also: {
      search: (id: number) => own.pluginConfigs.logs(id, { search: 'nowhere' }).page(),
      rearrange: () => own.pluginConfigs.rearrange({ plugin: 1, order: 1 + (turn++ % 100) }),
    },
  });
  const callers = PROJECTS * SEARCHES_OF_PROJECT;
  await flood(service, { callers, allowed: [200, 400, 429, 503], beside }, async (n) => {
    const [project, id] = logs[n % PROJECTS] ?? [own, 0];
    return project.call('GET', `/plugin_configs/${id}/logs?search=nowhere-${n}`);
  });
});

test('endless lists of all plugins do not slow down lists of plugins or keys of others', async () => {
  const service = running();
  await registerLarge(service);
  const reader = await service.tenant();
  const own = await service.tenant();
  const beside = await neighbour(own, {
    also: {
      plugins: () => readOk(own, '/api/plugins?limit=1'),
      plugin: () => readOk(own, '/api/plugins/1000'),
      keys: () => readOk(own, '/api/keys'),
    },
  });
  const statuses = await flood(service, { callers: READERS, allowed: [200, 429, 503], beside }, () =>
    read(reader, '/api/plugins?limit=1000'),
  );
  expect(statuses.get(200)).toBeGreaterThan(1);
});

async function issue({
  api,
  projectId,
  token,
}: Tenant): Promise<{ readonly status: number; readonly token: string }> {
  const response = await fetch(`${api}/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'another', scopes: ['plugin:read'], project_ids: [projectId] }),
  });
  const { token: issued = '' } = (await response.json()) as { readonly token?: string };
  return { status: response.status, token: issued };
}

async function read({ api, token }: Tenant, path: string): Promise<Response> {
  const response = await fetch(api + path, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response;
}

async function readOk(tenant: Tenant, path: string): Promise<void> {
  const { status } = await read(tenant, path);
  if (status !== 200) throw new Error(`${path} returned ${status}.`);
}

/** Registers plugins of the maximum size. */
async function registerLarge({ rows }: RunningService): Promise<void> {
  const configSchema = Array.from({ length: 100 }, (_, i) => ({
    key: `k${i}`,
    type: 'string',
    hint: '"hint" '.repeat(1000),
  }));
  const info = JSON.stringify({ id: 1000, name: 'Large', config_schema: configSchema });
  await rows(
    `insert into plugin (id, name, config_schema, info, registry_version)
    select n, 'Large', $1, $2, 1 from generate_series(1000, 999 + $3::int) n`,
    [JSON.stringify(configSchema), info, PLUGINS],
  );
}
