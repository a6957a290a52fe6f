/** @module-tag long */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@plugin-config/server/testing';
import { beforeAll, expect, test } from 'vitest';
import { programPath } from '../../../tools/programs.ts';
import { CONFIGURATION, startBalancer } from './testing/balancer.ts';
import { serviceOfFile } from './testing/running-service.ts';

const BEFORE = 50;
const AFTER = 200;
const READERS = 8;

const running = serviceOfFile({ TRUST_PROXY: '127.0.0.1' });
const servers: Record<string, string> = {};

beforeAll(async () => {
  const { http, worker, run } = running();
  const apps = { 'http-1': http, 'http-2': run('http'), 'worker-1': worker, 'worker-2': run('worker') };
  for (const [name, app] of Object.entries(apps)) servers[name] = await app.url();
});

test('the load balancer configuration is valid', () => {
  const args = ['-c', '-f', fileURLToPath(CONFIGURATION)];
  expect(spawnSync(programPath('haproxy'), args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
});

test('behind the load balancer a runtime can wait for the maximum time', { timeout: 120_000 }, async () => {
  await using balancer = await startBalancer(servers);
  const { projectId, token } = await running().tenant();
  const feed = `${balancer.api}/api/projects/${projectId}/plugin_configs/runtime?wait=50`;
  const authorization = `Bearer ${token}`;
  const poll = (headers: Record<string, string> = {}) =>
    fetch(feed, { headers: { authorization, ...headers } });
  await until(async () => (await poll()).status === 200);
  const etag = (await poll()).headers.get('etag') ?? '';
  const start = performance.now();
  expect((await poll({ 'if-none-match': etag })).status).toBe(304);
  // Waits end after 0.9 to 1.0 of the time.
  expect(performance.now() - start).toBeGreaterThan(44_000);
});

test.for(['SIGTERM', 'SIGKILL'] as const)(
  'behind the load balancer no read fails and pushes are stored when an app gets %s',
  async (signal) => {
    const service = running();
    await using balancer = await startBalancer(servers);
    const { projectId, token, attach } = await service.tenant();
    const id = await attach();
    const headers = { authorization: `Bearer ${token}` };
    const read = async (): Promise<number> => {
      const response = await fetch(`${balancer.api}/api/projects/${projectId}/plugin_configs`, { headers });
      await response.text();
      return response.status;
    };
    await until(async () => (await read()) === 200);

    const responses: number[] = [];
    const reader = async (): Promise<void> => {
      while (responses.length < BEFORE + AFTER) responses.push(await read());
    };
    const readers = Promise.all(Array.from({ length: READERS }, reader));
    await until(() => responses.length >= BEFORE);
    await service.end('http', signal);
    await readers;
    await service.restart('http');
    expect(responses.filter((status) => status !== 200)).toEqual([]);

    const push = async (): Promise<number> => {
      const body = JSON.stringify({ plugin_config_id: id, message: 'through the balancer' });
      const response = await fetch(`${balancer.ingestion}/ingest`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body,
      });
      await response.text();
      return response.status;
    };
    await until(async () => (await push()) === 200);
  },
);
