import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections: one of them could take the port of a server that is
 * restarted.
 */
const LOWEST = 20_000;
const BLOCKS = 127;
const BLOCK_SIZE = 100;

let chosen = 0;

/**
 * Chooses a port of 127.0.0.1 on which no process listens. Each process takes its ports from a block, one after the other:
 * two test files that start servers at the same time do not choose the same one.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < BLOCK_SIZE; attempt++) {
    const port = LOWEST + (process.pid % BLOCKS) * BLOCK_SIZE + (chosen++ % BLOCK_SIZE);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ${BLOCK_SIZE} ports of this process are taken.`);
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
