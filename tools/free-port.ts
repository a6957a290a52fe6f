import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports for outgoing connections, which could otherwise take the port of a server while it restarts. */
const LOWEST = 20_000;
const BLOCKS = 127;
const BLOCK_SIZE = 100;

let chosen = 0;

/**
 * Returns a free port of 127.0.0.1. Each process takes its ports from a separate block: test files that start servers at the
 * same time do not choose the same port.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < BLOCK_SIZE; attempt++) {
    const port = LOWEST + (process.pid % BLOCKS) * BLOCK_SIZE + (chosen++ % BLOCK_SIZE);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ${BLOCK_SIZE} ports of this process are in use.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
}
