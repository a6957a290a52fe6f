import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { programPath } from '../../../tools/programs.ts';
import { CONFIGURATION, startBalancer } from './testing/balancer.ts';
import { runService } from './testing/running-service.ts';

const BEFORE = 50;
const AFTER = 200;
const READERS = 8;

test('the configuration of the balancer is valid', () => {
  const args = ['-c', '-f', fileURLToPath(CONFIGURATION)];
  expect(spawnSync(programPath('haproxy'), args, { encoding: 'utf8' })).toMatchObject({ status: 0 });
});

test.for(['SIGTERM', 'SIGKILL'] as const)(
  'behind the balancer no read fails when an app gets %s, and pushes are stored',
  { timeout: 90_000 },
  async (signal) => {
    await using service = await runService({ TRUST_PROXY: '127.0.0.1' });
    const [http, worker] = [service.run('http'), service.run('worker')];
    await using balancer = await startBalancer({
      'http-1': await service.http.url(),
      'http-2': await http.url(),
      'worker-1': await service.worker.url(),
      'worker-2': await worker.url(),
    });
    const { projectId, token, attach } = await service.tenant();
    const id = await attach();
    const headers = { authorization: `Bearer ${token}` };
    const read = async (): Promise<number> => {
      const answer = await fetch(`${balancer.api}/api/projects/${projectId}/plugin_configs`, { headers });
      await answer.text();
      return answer.status;
    };
    await until(async () => (await read()) === 200);

    const answers: number[] = [];
    const reader = async (): Promise<void> => {
      while (answers.length < BEFORE + AFTER) answers.push(await read());
    };
    const readers = Promise.all(Array.from({ length: READERS }, reader));
    await until(() => answers.length >= BEFORE);
    http.child.kill(signal);
    await http.exited;
    await readers;
    expect(answers.filter((status) => status !== 200)).toEqual([]);

    const push = async (): Promise<number> => {
      const body = JSON.stringify({ plugin_config_id: id, message: 'through the balancer' });
      const answer = await fetch(`${balancer.ingestion}/ingest`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body,
      });
      await answer.text();
      return answer.status;
    };
    await until(async () => (await push()) === 200);
  },
);
