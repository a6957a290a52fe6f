import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';
import { filesNeeding, missingPrograms } from './programs.ts';

/** The environment variable that lets load tests run: `only` them, or they `too`. */
export const LOADS = 'LOAD_TESTS';

/** Most tests of a service wait for processes and for the database. */
const WORKERS = availableParallelism() + 1;
const LOAD_TESTS = '**/*.load.test.ts';

/** What a run has, whether over one package or over all. */
export const RUN = {
  reporters: ['default', 'json'],
  outputFile: { json: '.reports/vitest.json' },
  maxWorkers: WORKERS,
} satisfies TestUserConfig;

/**
 * The Vitest configuration of every package. Leaves out test files that need a missing program, and those of load tests
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
  const loads = process.env[LOADS];
  return defineConfig({
    test: {
      ...RUN,
      include: [`${within}/*${loads === 'only' ? '.load' : ''}.test.ts`],
      exclude: [
        ...configDefaults.exclude,
        ...missing,
        ...(loads === undefined ? [LOAD_TESTS] : []),
        ...exclude,
      ],
      setupFiles: [fileURLToPath(new URL('./seeded-properties.ts', import.meta.url)), ...[setupFiles].flat()],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      allowOnly: false,
      // Files share their modules: to load them for each file took a sixth of the time.
      isolate: false,
      // Node runs the sources as they are, as in production. Vite would transform each of them for each package.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      passWithNoTests: missing.length > 0 || loads === 'only',
      ...test,
    },
  });
}
