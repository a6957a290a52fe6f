import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@plugin-config/server/testing';
import { freePort } from '../../../../tools/free-port.ts';
import { programPath } from '../../../../tools/programs.ts';
import { accepts } from './pgbouncer.ts';

/** The load balancer of the deployment, in front of test servers. */
export interface Balancer extends AsyncDisposable {
  readonly api: string;
  readonly ingestion: string;
}

export const CONFIGURATION = new URL('../../../../deploy/compose/haproxy.cfg', import.meta.url);

/** @param servers the URLs by their names in the configuration, such as `http-1` */
export async function startBalancer(servers: Readonly<Record<string, string>>): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-balancer-'));
  const [api, ingestion] = [await freePort(), await freePort()];
  const file = join(folder, 'haproxy.cfg');
  const text = (await readFile(CONFIGURATION, 'utf8'))
    .replaceAll(/(?<= )(?<name>[\w-]+):800[01]$/gm, (_, name: string) => new URL(servers[name] ?? '').host)
    .replace('bind :8000', `bind 127.0.0.1:${api}`)
    .replace('bind :8001', `bind 127.0.0.1:${ingestion}`);
  await writeFile(file, text);
  const balancer = spawn(programPath('haproxy'), ['-f', file], { stdio: 'ignore' });
  await until(() => accepts(api));
  return {
    api: `http://127.0.0.1:${api}`,
    ingestion: `http://127.0.0.1:${ingestion}`,
    [Symbol.asyncDispose]: async () => {
      balancer.kill('SIGKILL');
      await once(balancer, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}
