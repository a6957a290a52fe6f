import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './node-flags.ts';
import { runProcess } from './run-process.ts';

const APPS = ['http', 'worker'];

/**
 * Vitest's global setup, which fills the compile cache for later starts of the apps, and for the tests that import them. It
 * starts each app without settings: the app exits after loading its modules. An app that is killed by a test does not write the
 * cache. Each set of flags has its own cache.
 */
export function setup(): void {
  for (const nodeFlags of [NODE_FLAGS, []]) {
    for (const app of APPS) {
      const main = fileURLToPath(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url));
      void runProcess({ main, nodeFlags, env: {} }).exited;
    }
  }
}
