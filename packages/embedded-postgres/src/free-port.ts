import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Ports below the range of outgoing connections (ephemeral ports). While PostgreSQL restarts, a client that dials an
 * ephemeral port of this host can be given the same port as its own source port; it then connects to itself and PostgreSQL
 * finds the port taken.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const ATTEMPTS = 50;

/** Picks a random port of 127.0.0.1 on which no process listens. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    await using server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    } catch {
      // Taken: the next attempt takes another one.
    }
  }
  throw new EmbeddedPostgresError(
    `No port between ${LOWEST} and ${HIGHEST} is free for the embedded PostgreSQL.`,
  );
}
