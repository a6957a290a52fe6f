import { fileURLToPath } from 'node:url';
import { runProcess } from './run-process.ts';

const APPS = ['http', 'worker'];

/**
 * Vitest's global setup: fills the compile cache that later starts of the apps use. Each app is started without settings, which
 * it rejects after it has loaded its modules. An app that a test kills would not write the cache.
 */
export function setup(): void {
  for (const app of APPS) {
    const main = fileURLToPath(new URL(`../../../../apps/${app}/src/main.ts`, import.meta.url));
    void runProcess({ main, env: {} }).exited;
  }
}
