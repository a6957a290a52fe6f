import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from './start-refused.ts';
import type { Address } from './start-settings.ts';

const ATTEMPTS = 10;
const PAUSE_MS = 200;

/**
 * Takes all the addresses at once and lets go of them again: an app whose port another instance holds would otherwise
 * look ready, because that other one answers. Patient for as long as the apps of a killed start need to go.
 */
export async function refuseTakenPorts(addresses: readonly Address[], attempts = ATTEMPTS): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeAll(
        addresses.filter(({ port }) => Number.isInteger(port) && port > 0 && port <= 65_535),
      );
    } catch (error) {
      if (!(error instanceof StartRefused) || attempt >= attempts) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function takeAll(addresses: readonly Address[]): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const address of addresses) servers.push(await take(address));
  } finally {
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  }
}

async function take({ variable, host, port }: Address): Promise<Server> {
  const server = createServer().listen({ host, port, exclusive: true });
  try {
    await once(server, 'listening');
    return server;
  } catch (cause) {
    if (!isTaken(cause))
      throw new StartRefused(`Nothing can listen on ${host}, port ${port} (${variable}): ${String(cause)}`);
    throw new StartRefused(`Port ${port} of ${host} is taken already: set ${variable} to a free one.`);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
