import { runProcess } from '@plugin-config/server/testing';
import { MAINS, NODE_FLAGS } from './apps.ts';

/**
 * Vitest's global setup: fills Node's compile cache, so that each start of an app costs half as much. Node writes it when a
 * process exits by itself, which the apps of these tests seldom do.
 */
export async function setup(): Promise<void> {
  const runs = Object.values(MAINS).map((main) =>
    runProcess({ main, args: ['--help'], nodeFlags: NODE_FLAGS, env: {} }),
  );
  await Promise.all(runs.map(({ exited }) => exited));
}
