import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../tools/free-port.ts';
import { programPath } from '../../../../tools/programs.ts';
import { makeTestFolder } from '../../../../tools/test-folder.ts';

/** A ClickHouse server for tests that keeps its data and port across restarts. */
export interface ClickHouseServer extends AsyncDisposable {
  readonly url: string;
  /** The process while it runs. */
  pid(): number | undefined;
  kill(): Promise<void>;
  start(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('server.main.ts', import.meta.url));
const POLL_MS = 20;

export async function startClickHouse(): Promise<ClickHouseServer> {
  const library = programPath('chdb');
  const folder = await makeTestFolder('plugin-config-clickhouse-');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [
    `--path=${folder}`,
    `--http_port=${port}`,
    '--listen_host=127.0.0.1',
    // Makes the server treat every partition as large.
    '--max_partition_size_to_drop=1',
  ];
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const flags = ['--experimental-ffi', '--disable-warning=ExperimentalWarning'];
    const started = spawn(process.execPath, [...flags, MAIN, library, ...options], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    server = started;
    while (!(await responds(url))) {
      if (started.exitCode !== null) throw new Error(`ClickHouse ended with ${started.exitCode}.`);
      await sleep(POLL_MS);
    }
  };
  const kill = async (): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  await start();
  return {
    url,
    pid: () => server?.pid,
    start,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function responds(url: string): Promise<boolean> {
  return fetch(`${url}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}
