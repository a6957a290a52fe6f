import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, type Addresses, StartError } from './start-settings.ts';

/** Long enough for the apps of a killed start to exit. */
const ATTEMPTS = 15;
const PAUSE_MS = 200;

/**
 * Checks that both ports are free by listening on them for a moment: if another instance had the port of an app, its responses
 * would make that app look ready. Resolves to the addresses with their actual ports, which a restarted app keeps.
 */
export async function takePorts({ http, worker }: Addresses): Promise<Addresses> {
  await using servers = new AsyncDisposableStack();
  return { http: await take(http, servers), worker: await take(worker, servers) };
}

async function take(address: Address, servers: AsyncDisposableStack): Promise<Address> {
  const { variable, host, port } = address;
  for (let attempt = 1; ; attempt++) {
    const server = createServer().listen({ host, port });
    try {
      await once(server, 'listening');
      servers.use(server);
      return { ...address, port: portOf(server) };
    } catch (cause) {
      if (!isInUse(cause))
        throw new StartError(`Cannot listen on ${host}, port ${port} (${variable}): ${String(cause)}`);
      if (attempt < ATTEMPTS) await sleep(PAUSE_MS);
      else throw new StartError(`Port ${port} of ${host} is in use. Set ${variable} to a free port.`);
    }
  }
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.');
  return address.port;
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
