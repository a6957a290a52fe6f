import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';
import { filesNeeding, missingPrograms } from './programs.ts';

/** The Vitest configuration of every package. Skips test files that need a missing program; `npm test` adds up the reports. */
export function packageTests({ setupFiles = [], ...test }: TestUserConfig = {}): ViteUserConfig {
  const missing = missingPrograms();
  return defineConfig({
    test: {
      include: ['**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...missing.map(filesNeeding)],
      setupFiles: [fileURLToPath(new URL('./seeded-properties.ts', import.meta.url)), ...[setupFiles].flat()],
      reporters: ['default', 'json'],
      outputFile: { json: '.reports/vitest.json' },
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      allowOnly: false,
      // Files share their modules: to load them for each file took a sixth of the time.
      isolate: false,
      passWithNoTests: missing.length > 0,
      ...test,
    },
  });
}
