import { defineConfig } from 'vitest/config';
import { RUN } from './tools/vitest.ts';

/** Runs the tests of all packages. They share one server of each kind. */
export default defineConfig({
  test: {
    ...RUN,
    coverage: {
      include: ['{packages,apps}/*/src/**/*.ts'],
      exclude: [
        '**/*.{test,contract,fixture}.ts',
        '**/testing/**',
        'packages/testing/**',
        'apps/{bench,e2e}/**',
      ],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.reports/coverage',
    },
    projects: ['tools', 'packages/*', 'apps/*', 'apps/e2e/vitest.alone.config.ts'],
    globalSetup: [
      './packages/server/src/testing/fill-compile-cache.ts',
      './packages/persistence/src/testing/test-cluster.ts',
      './packages/clickhouse/src/testing/test-server.ts',
    ],
  },
});
