import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../tools/free-port.ts';
import { programPath } from '../../../../tools/programs.ts';

/** A NATS server for a test. Keeps its streams and its port across restarts. */
export interface NatsServer extends AsyncDisposable {
  readonly url: string;
  /** Returns the URL with a user's credentials. */
  urlOf(user: string): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Restarts the server without streams, as if its disk had been replaced. */
  wipe(): Promise<void>;
  /** Restarts the server with another configuration. */
  configure(configuration: string): Promise<void>;
  /** Returns the server's log. */
  log(): Promise<string>;
}

const POLL_MS = 20;
const GREETED_WITHIN_MS = 1_000;

/** @param configuration configuration lines in addition to those for streams and port */
export async function startNatsServer(configuration = ''): Promise<NatsServer> {
  const path = programPath('nats-server');
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  const logFile = join(folder, 'nats.log');
  await writeFile(file, configuration);
  const args = [
    '--config',
    file,
    '--jetstream',
    '--store_dir',
    folder,
    '--addr',
    '127.0.0.1',
    '--port',
    String(port),
    '--log',
    logFile,
  ];
  const log = (): Promise<string> =>
    readFile(logFile, 'utf8').catch(() => 'The log is empty: the configuration is invalid.');
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(path, args, { stdio: 'ignore' });
    while (!(await greets(port))) {
      if (server.exitCode !== null) throw new Error(`nats-server did not start:\n${await log()}`);
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
    url: `nats://127.0.0.1:${port}`,
    urlOf: (user) => `nats://${user}:${user}@127.0.0.1:${port}`,
    start,
    kill,
    wipe: async () => {
      await kill();
      await rm(join(folder, 'jetstream'), { recursive: true });
      await start();
    },
    configure: async (changed) => {
      await kill();
      await writeFile(file, changed);
      await start();
    },
    log,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves to true once the server sends its greeting, and to false if it sends none. */
async function greets(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data', { signal: AbortSignal.timeout(GREETED_WITHIN_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
