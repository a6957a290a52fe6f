import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below the ephemeral range. While PostgreSQL restarts, a client that dials an ephemeral port on this host may get the
 * same port as its source port. It then connects to itself, and PostgreSQL finds the port taken.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;

/** Picks a random port of 127.0.0.1 on which no process listens. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST + 1);
  await using server = createServer();
  const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => undefined);
  return isFree === undefined ? await freePort() : port;
}
