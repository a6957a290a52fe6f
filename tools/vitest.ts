import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';
import { COMPILED } from './compile-cache.ts';
import { filesNeeding, missingPrograms } from './programs.ts';
import { LONG, RUNS_LONG_TESTS } from './tiers.ts';

declare module 'vitest' {
  interface TestTags {
    tags: typeof LONG;
  }
}

/** One more than the cores, because most tests wait for processes and the database. */
const WORKERS = availableParallelism() + 1;

/** Settings of every run, over one package or all. */
export const RUN = {
  reporters: ['default', 'json'],
  outputFile: { json: '.reports/vitest.json' },
  maxWorkers: WORKERS,
  tags: [{ name: LONG, description: 'Takes long: only npm run test:all runs it.' }],
  ...(RUNS_LONG_TESTS ? {} : { tagsFilter: [`!${LONG}`] }),
} satisfies TestUserConfig;

/**
 * Returns the Vitest configuration of a package. Skips test files that need a missing program, and tests with the tag `long`
 * unless the second tier is enabled.
 *
 * @param within the folder of the test files
 */
export function packageTests({
  within = '**',
  setupFiles = [],
  exclude = [],
  ...test
}: TestUserConfig & { readonly within?: string } = {}): ViteUserConfig {
  const missing = missingPrograms().map(filesNeeding);
  return defineConfig({
    test: {
      ...RUN,
      include: [`${within}/*.test.ts`],
      exclude: [...configDefaults.exclude, ...missing, ...exclude],
      setupFiles: [fileURLToPath(new URL('./seeded-properties.ts', import.meta.url)), ...[setupFiles].flat()],
      // Generous for busy machines. It does not slow down tests that pass.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 90_000 } },
      allowOnly: false,
      // Without it, each of the processes that run tests would compile all modules.
      env: { NODE_COMPILE_CACHE: COMPILED },
      // Test files share their modules, because loading them for each file would take a sixth of the time.
      isolate: false,
      // Node runs the sources, as in production. Vite would transform all of them for each package.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      passWithNoTests: missing.length > 0,
      ...test,
    },
  });
}
