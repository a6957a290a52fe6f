import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { stopProcess } from '../app-process.ts';
import { freePort } from '../../../../tools/free-port.ts';

/** Runs work with a new, empty NATS server and a connection to it. */
export async function withNats<T>(
  path: string,
  work: (url: string, connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plugin-config-bench-nats-'));
  const port = await freePort();
  const args = ['--jetstream', '--store_dir', folder, '--addr', '127.0.0.1', '--port', String(port)];
  const server = spawn(path, args, { stdio: 'ignore' });
  const url = `nats://127.0.0.1:${port}`;
  const connection = await connect({ servers: url, waitOnFirstConnect: true, reconnectTimeWait: 50 });
  try {
    return await work(url, connection);
  } finally {
    await connection.close();
    await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  }
}
