import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.ts';

const APPS = ['http', 'worker'];

/**
 * Vitest's global setup, which fills the compile cache for later starts of the apps. It starts each app without settings, so that
 * it exits after loading its modules. An app that is killed by a test does not write the cache.
 */
export function setup(): void {
  for (const app of APPS) {
    const main = fileURLToPath(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url));
    void runProcess({ main, env: {} }).exited;
  }
}
