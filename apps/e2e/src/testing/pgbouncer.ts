import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@plugin-config/server/testing';
import { freePort } from '../../../../tools/free-port.ts';
import { programPath } from '../../../../tools/programs.ts';

/** A connection pooler in front of a PostgreSQL, which keeps its port across restarts. */
export interface Pgbouncer extends AsyncDisposable {
  /** The URL of the database through the pooler. */
  through(databaseUrl: string): string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startPgbouncer(serverUrl: string, poolMode: string): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-pgbouncer-'));
  await chmod(folder, 0o711);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings(new URL(serverUrl), port, poolMode));
  let pooler: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    pooler = spawn(programPath('pgbouncer'), ['--quiet', file], { stdio: 'ignore' });
    await until(() => accepts(port));
  };
  const kill = async (): Promise<void> => {
    if (pooler === undefined || pooler.exitCode !== null || pooler.signalCode !== null) return;
    pooler.kill('SIGKILL');
    await once(pooler, 'exit');
  };
  await start();
  return {
    through: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    start,
    kill,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the configuration. pgbouncer does not run as root, so as root it switches to another user. */
function settings({ hostname, port, username, password }: URL, listenPort: number, poolMode: string): string {
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  return `
[databases]
* = ${server}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 60
max_client_conn = 200
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;
}

export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
