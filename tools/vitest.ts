import { fileURLToPath } from 'node:url';
import { defineConfig, type TestUserConfig, type ViteUserConfig } from 'vitest/config';

/** How every package runs its tests; `npm test` adds up the reports. */
export function packageTests(test: TestUserConfig = {}): ViteUserConfig {
  return defineConfig({
    test: {
      include: ['**/*.test.ts'],
      setupFiles: [fileURLToPath(new URL('./seeded-properties.ts', import.meta.url))],
      reporters: ['default', 'json'],
      outputFile: { json: '.reports/vitest.json' },
      testTimeout: 30_000,
      hookTimeout: 60_000,
      allowOnly: false,
      passWithNoTests: false,
      ...test,
    },
  });
}
