import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Room for the data of all tests that run at the same time. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder for the data of a test's server, whose loss does no harm: in memory if there is room, where a server that
 * syncs each write takes a third less time.
 */
export async function makeTestFolder(prefix: string): Promise<string> {
  return mkdtemp(join((await hasRoom()) ? IN_MEMORY : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES;
}
