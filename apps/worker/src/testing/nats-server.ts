import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programPath } from '../../../../tools/programs.ts';

/** A NATS server for a test, which keeps its streams and its port across restarts. */
export interface NatsServer extends AsyncDisposable {
  readonly url: string;
  /** The URL with the credentials of a user of the configuration. */
  urlOf(user: string): string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Restarts the server without any stream, as if its disk had been replaced. */
  wipe(): Promise<void>;
  /** Restarts the server with another configuration. */
  configure(configuration: string): Promise<void>;
}

const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const POLL_MS = 20;

/** Chooses a port at which nothing answers. */
export async function freeNatsPort(): Promise<number> {
  const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
  return (await isOpen(port)) ? freeNatsPort() : port;
}

/** @param configuration configuration lines beside those for streams and port */
export async function startNatsServer(configuration = ''): Promise<NatsServer> {
  const path = programPath('nats-server');
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-nats-'));
  const port = await freeNatsPort();
  const file = join(folder, 'nats.conf');
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
  ];
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    server = spawn(path, args, { stdio: 'ignore' });
    while (!(await greets(port))) {
      if (server.exitCode !== null) throw new Error('nats-server did not start: its configuration is wrong.');
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
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const isOpen = (port: number): Promise<boolean> => reaches(port, 'connect');

/** Resolves to true once the server sends its greeting. */
const greets = (port: number): Promise<boolean> => reaches(port, 'data');

async function reaches(port: number, event: 'connect' | 'data'): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, event);
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
