import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Below the range that the system gives to outgoing connections: while PostgreSQL is being restarted, a client's own
 * attempt to reach it could otherwise be given the very port that it dials, and keep it taken.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const ATTEMPTS = 50;

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError(
    `No port between ${LOWEST} and ${HIGHEST} is free for the embedded PostgreSQL.`,
  );
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
