import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';
import { filesNeeding, missingPrograms } from './programs.ts';
import { LONG, RUNS_LONG_TESTS } from './tiers.ts';

declare module 'vitest' {
  interface TestTags {
    tags: typeof LONG;
  }
}

/** One more than the cores: most tests of a service wait for processes and for the database, which need cores, too. */
const WORKERS = availableParallelism() + 1;

/** What a run has, whether over one package or over all. */
export const RUN = {
  reporters: ['default', 'json'],
  outputFile: { json: '.reports/vitest.json' },
  maxWorkers: WORKERS,
  tags: [{ name: LONG, description: 'Takes long: only npm run test:all runs it.' }],
  ...(RUNS_LONG_TESTS ? {} : { tagsFilter: [`!${LONG}`] }),
} satisfies TestUserConfig;

/**
 * The Vitest configuration of every package. Leaves out test files that need a missing program, and tests with the tag `long`
 * unless they are asked for.
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
      // Generous for a busy machine: a test that passes takes no longer for it.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 90_000 } },
      allowOnly: false,
      // Files share their modules: to load them for each file took a sixth of the time.
      isolate: false,
      // Node runs the sources as they are, as in production. Vite would transform each of them for each package.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      passWithNoTests: missing.length > 0,
      ...test,
    },
  });
}
