import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from './start-refused.ts';
import type { Address, Addresses } from './start-settings.ts';

/** Longer than the apps of a killed start may take to end. */
const ATTEMPTS = 30;
const PAUSE_MS = 200;

/**
 * Checks that both ports are free by listening on both and closing them again: an app whose port another instance holds
 * would otherwise look ready, because the other one answers. Retries while the apps of a killed start may still run.
 * Resolves to the addresses with their real ports, so that an app keeps its port when it is restarted.
 */
export async function takePorts({ http, worker }: Addresses, attempts = ATTEMPTS): Promise<Addresses> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeBoth(http, worker);
    } catch (error) {
      if (!(error instanceof StartRefused) || attempt >= attempts) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function takeBoth(http: Address, worker: Address): Promise<Addresses> {
  const servers: Server[] = [];
  const takeOne = async (address: Address): Promise<Address> => {
    const server = await take(address);
    servers.push(server);
    return { ...address, port: portOf(server) };
  };
  try {
    return { http: await takeOne(http), worker: await takeOne(worker) };
  } finally {
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  }
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server listens on no port.');
  return address.port;
}

async function take({ variable, host, port }: Address): Promise<Server> {
  const server = createServer().listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch (cause) {
    if (!isTaken(cause))
      throw new StartRefused(`Cannot listen on ${host}, port ${port} (${variable}): ${String(cause)}`);
    throw new StartRefused(`Port ${port} of ${host} is taken already: set ${variable} to a free one.`);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
