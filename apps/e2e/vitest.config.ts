import { packageTests } from '../../tools/vitest.ts';

/** One file after the other: these tests say how long a caller waits, so nothing else may run beside them. */
export default packageTests({
  globalSetup: ['@plugin-config/persistence/testing', './src/testing/compile-apps.ts'],
  setupFiles: '@plugin-config/conformance/setup',
  fileParallelism: false,
  testTimeout: 120_000,
});
